#include "rewriter/device_text.h"

namespace twiddle::rewriter {

// An item keeps two words, and every other number is found again from its ids: PoCL keeps what is alive at a barrier in
// memory, for each item. On processors a record is two stores: LLVM 15 crashes on vectors of two there in kernels with barriers.
const char* const device_text = R"(#ifdef TW_ROWS
#define TW_STEP 1
#else
#define TW_STEP TW_BLOCK
#endif
typedef struct{ulong at,end;}__tw_item;
static inline ulong __tw_group(void){return(get_group_id(2)*get_num_groups(1)+get_group_id(1))*get_num_groups(0)+get_group_id(0);}
static inline ulong __tw_lanes(void){return get_local_size(0)*get_local_size(1)*get_local_size(2);}
static inline ulong __tw_lane(void){return(get_local_id(2)*get_local_size(1)+get_local_id(1))*get_local_size(0)+get_local_id(0);}
static inline ulong __tw_number(__global const ulong*l){return __tw_group()*__tw_lanes()+__tw_lane()-l[0];}
static inline bool __tw_first(void){return __tw_group()+__tw_lane()==0;}
static inline ulong __tw_start(__global const ulong*l,ulong i,__private ulong*end){
__global const ulong*r=l+l[2]+i/TW_BLOCK;ulong first=r[0],next=r[1];
#ifdef TW_ROWS
ulong row=(next-first)/TW_BLOCK,start=first+i%TW_BLOCK*row;*end=start+row;return start;
#else
*end=next;return first+i%TW_BLOCK;
#endif
}
static inline __global uint*__tw_count(__global ulong*l,ulong i){return(__global uint*)(l+l[3])+i;}
static inline void __tw_begin(__global ulong*l,__private __tw_item*t){
ulong i=__tw_number(l),end=0,at=0;if(i<l[1])at=__tw_start(l,i,&end)+(ulong)*__tw_count(l,i)*TW_STEP;t->at=at;t->end=end;}
static inline void __tw_end(__global ulong*l,__private const __tw_item*t){
ulong i=__tw_number(l),end;if(i<l[1])*__tw_count(l,i)=(uint)((t->at-__tw_start(l,i,&end))/TW_STEP);}
static inline void __tw_write(__global ulong*l,ulong at,ulong a,ulong b){
#ifdef TW_ROWS
__global ulong*r=l+2*at;r[0]=a;r[1]=b;
#else
((__global ulong2*)l)[at]=(ulong2)(a,b);
#endif
}
static inline void __tw_put(uint s,ulong a,ulong v,__global ulong*l,__private __tw_item*t){
if(t->at<t->end)__tw_write(l,t->at,(a&0x7fffffffffffUL)|((ulong)s<<47),v);t->at+=TW_STEP;}
static inline void __tw_texel(uint s,uint k,uint q,uint x,uint y,uint z,__global ulong*l,__private __tw_item*t){
__tw_put(s,((ulong)k<<40)|((ulong)q<<32)|z,(ulong)x|((ulong)y<<32),l,t);}
static inline void __tw_base(__global ulong*l,uint k,ulong a){l[l[4]+k]=a;}
static inline void __tw_group_base(__global ulong*l,uint n,uint k,ulong a){l[l[5]+__tw_group()*n+k]=a;}
)";

}  // namespace twiddle::rewriter

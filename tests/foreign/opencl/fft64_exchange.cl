// 64 point FFTs, 8 work items x 8 registers, one exchange through local memory.
// Real parts go first, then the imaginary ones through the same 72 floats.
#define THREADS   8
#define PITCH     9
#define E_1_8     (float2)( M_SQRT1_2_F, -M_SQRT1_2_F )
#define E_3_8     (float2)( -M_SQRT1_2_F, -M_SQRT1_2_F )

float2 cmul( float2 a, float2 b ) { return (float2)( a.x*b.x - a.y*b.y, a.x*b.y + a.y*b.x ); }
float2 minus_i( float2 a ) { return (float2)( a.y, -a.x ); }
float2 exp_i( float phi ) { return (float2)( native_cos( phi ), native_sin( phi ) ); }

#define FFT2( a, b )   { float2 t_ = a; a = t_ + b; b = t_ - b; }

#define FFT4( a0, a1, a2, a3 )  \
{                               \
    FFT2( a0, a2 );             \
    FFT2( a1, a3 );             \
    a3 = minus_i( a3 );         \
    FFT2( a0, a1 );             \
    FFT2( a2, a3 );             \
}

#define FFT8( a )                          \
{                                          \
    FFT2( a[0], a[4] );                    \
    FFT2( a[1], a[5] );                    \
    FFT2( a[2], a[6] );                    \
    FFT2( a[3], a[7] );                    \
    a[5] = cmul( a[5], E_1_8 );            \
    a[6] = minus_i( a[6] );                \
    a[7] = cmul( a[7], E_3_8 );            \
    FFT4( a[0], a[1], a[2], a[3] );        \
    FFT4( a[4], a[5], a[6], a[7] );        \
}

__constant int rev[8] = { 0, 4, 2, 6, 1, 5, 3, 7 };

__kernel __attribute__((reqd_work_group_size(THREADS, 1, 1)))
void fft64( __global float2 *work )
{
    __local float lds[8 * PITCH];
    int t = get_local_id( 0 );
    float2 a[8];

    work += get_group_id( 0 ) * 64 + t;
    for ( int i = 0; i < 8; i++ )
        a[i] = work[8 * i];

    FFT8( a );
    for ( int j = 1; j < 8; j++ )
        a[j] = cmul( a[j], exp_i( -2.0f * M_PI_F / 64.0f * t * rev[j] ) );

    // exchange
    for ( int i = 0; i < 8; i++ )
        lds[rev[i] * PITCH + t] = a[i].x;
    barrier( CLK_LOCAL_MEM_FENCE );
    for ( int i = 0; i < 8; i++ )
        a[i].x = lds[t * PITCH + i];
    barrier( CLK_LOCAL_MEM_FENCE );
    for ( int i = 0; i < 8; i++ )
        lds[rev[i] * PITCH + t] = a[i].y;
    barrier( CLK_LOCAL_MEM_FENCE );
    for ( int i = 0; i < 8; i++ )
        a[i].y = lds[t * PITCH + i];

    FFT8( a );
    for ( int i = 0; i < 8; i++ )
        work[8 * rev[i]] = a[i];
}

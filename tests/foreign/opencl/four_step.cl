// N = R * C, x[r*C + c].  1) columns  2) twiddle  3) rows  4) read transposed.
#define CMUL(a,b) ((float2)((a).x*(b).x-(a).y*(b).y, (a).x*(b).y+(a).y*(b).x))

void small_dft(float2* v, int len, __global const float2* W, int N)
{
    float2 t[16];
    for(int k=0;k<len;k++){
        float2 s=(float2)(0.0f);
        for(int j=0;j<len;j++){
            int e=(j*k)%len;
            s+=CMUL(v[j],W[e*(N/len)]);
        }
        t[k]=s;
    }
    for(int k=0;k<len;k++)v[k]=t[k];
}

__kernel void columns_and_twiddle(__global float2* x, __global const float2* W, int R, int C)
{
    int c=get_global_id(0);
    float2 v[16];
    for(int r=0;r<R;r++)v[r]=x[r*C+c];
    small_dft(v,R,W,R*C);
    for(int r=0;r<R;r++)x[r*C+c]=CMUL(v[r],W[r*c]);
}

__kernel void rows_transposed(__global const float2* x, __global float2* y, __global const float2* W, int R, int C)
{
    int r=get_global_id(0);
    float2 v[16];
    for(int c=0;c<C;c++)v[c]=x[r*C+c];
    small_dft(v,C,W,R*C);
    for(int c=0;c<C;c++)y[c*R+r]=v[c];
}

/* prime factor algorithm, three coprime factors, no twiddles between the axes.
 * in:  j = j1*n/n1 + j2*n/n2 + j3*n/n3 mod n   (Ruritanian)
 * out: k = ki mod ni                           (Chinese remainder) */

kernel void gather(global float2*x,global float2*cube,int n1,int n2,int n3){
  int i=get_global_id(0),n=n1*n2*n3;
  if(i>=n)return;
  int j3=i%n3,j2=i/n3%n2,j1=i/(n3*n2);
  int j=(j1*n2*n3+j2*n1*n3+j3*n1*n2)%n;
  cube[i]=x[j];
}

kernel void axis(global float2*in,global float2*out,int n,int len,int step){
  int i=get_global_id(0);
  if(i>=n)return;
  int k=i/step%len,base=i-k*step;
  float sr=0,si=0;
  for(int j=0;j<len;j++){
    float2 v=in[base+j*step];
    float co,sn=sincos(-2*M_PI_F*(j*k%len)/len,&co);
    sr+=v.x*co-v.y*sn;
    si+=v.x*sn+v.y*co;
  }
  out[i]=(float2)(sr,si);
}

kernel void scatter(global float2*cube,global float2*X,int n1,int n2,int n3){
  int k=get_global_id(0);
  if(k<n1*n2*n3)X[k]=cube[(k%n1*n2+k%n2)*n3+k%n3];
}

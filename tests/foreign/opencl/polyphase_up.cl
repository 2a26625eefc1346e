// Four times as many samples: low pass in polyphase form. Branch j of the filter holds taps 4j .. 4j+3.

kernel void hann_sinc(global float* h, const int len)
{
  const int k = get_global_id(0);
  const float t = (k - 0.5f * (len - 1)) / 4;
  const float s = t == 0.0f ? 1.0f : sinpi(t) / (M_PI_F * t);
  h[k] = s * (0.5f - 0.5f * cospi(2.0f * (k + 0.5f) / len));
}

kernel void interpolate(global const float* x, global const float4* h4, global float* y, const int n, const int branches)
{
  const int m = get_global_id(0);
  if (m >= n) return;
  float4 acc = (float4)(0.0f);
  for (int j = 0; j < branches && j <= m; j++)
    acc = mad(h4[j], (float4)(x[m - j]), acc);
  vstore4(acc, m, y);
}

// zeros between the samples, then the whole filter
kernel void stuff_and_filter(global const float* x, global const float* h, global float* y, const int len)
{
  const int i = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < len && k <= i; k++)
    if ((i - k) % 4 == 0)
      sum += h[k] * x[(i - k) / 4];
  y[i] = sum;
}

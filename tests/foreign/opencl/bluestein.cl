#pragma OPENCL EXTENSION cl_khr_fp64 : enable
/* x_k conj(w_k) -> A ; w -> B ; A*B by FFT of m points ; times conj(w_k).  w_k = exp(i pi k^2 / n) */

double2 cx(double2 a, double2 b) { return (double2)(a.x*b.x - a.y*b.y, a.x*b.y + a.y*b.x); }
double2 conj(double2 a) { return (double2)(a.x, -a.y); }

double2 chirp(long k, long n)
{
	long sq = (k * k) % (2 * n);		// keeps the angle small
	double c;
	double s = sincos(M_PI * sq / n, &c);
	return (double2)(c, s);
}

kernel void prepare(global const double2 *x, global double2 *A, global double2 *B, int n, int m)
{
	int i = get_global_id(0);
	A[i] = i < n ? cx(x[i], conj(chirp(i, n))) : (double2)(0.0);
	if (i < n)
		B[i] = chirp(i, n);
	else if (i > m - n)
		B[i] = chirp(m - i, n);
	else
		B[i] = 0;
}

/* Stockham by hand, sg = -1 there, +1 back */
kernel void sweep(global const double2 *a, global double2 *b, int span, double sg)
{
	int i = get_global_id(0), half_n = get_global_size(0);
	int k = i % span;
	double c, s = sincos(sg * M_PI * k / span, &c);
	double2 p = a[i], q = cx(a[i + half_n], (double2)(c, s));
	int o = 2 * i - k;
	b[o] = p + q;
	b[o + span] = p - q;
}

kernel void multiply(global double2 *A, global const double2 *B)
{
	int i = get_global_id(0);
	A[i] = cx(A[i], B[i]);
}

kernel void finish(global const double2 *A, global double2 *X, int n, int m)
{
	int i = get_global_id(0);
	if (i >= n) return;
	X[i] = cx(A[i], conj(chirp(i, n))) / m;
}

/* FFT de base mixta 2/3/5 (autosort). Un lanzamiento por factor; los datos van y vienen entre
   dos vectores y, si el numero de pasos es impar, al final se copian al de salida. */

#define TAU   6.283185307179586f
#define SEN60 0.866025403784439f

typedef struct { float re, im; } comp;

comp giro(comp z, int num, int den)
{
	float s, c;
	comp r;
	s = sincos(-TAU * num / den, &c);
	r.re = z.re * c - z.im * s;
	r.im = z.re * s + z.im * c;
	return r;
}

kernel void paso2(global const comp *ent, global comp *sal, int n, int hecho)
{
	int g = get_global_id(0);
	int m = n / 2;
	int k = g % hecho;
	int q = (g / hecho) * 2 * hecho + k;
	comp a = ent[g];
	comp b = giro(ent[g + m], k, 2 * hecho);
	sal[q].re = a.re + b.re;          sal[q].im = a.im + b.im;
	sal[q + hecho].re = a.re - b.re;  sal[q + hecho].im = a.im - b.im;
}

kernel void paso3(global const comp *ent, global comp *sal, int n, int hecho)
{
	int g = get_global_id(0);
	int m = n / 3;
	int k = g % hecho;
	int q = (g / hecho) * 3 * hecho + k;
	comp a = ent[g];
	comp b = giro(ent[g + m], k, 3 * hecho);
	comp c = giro(ent[g + 2 * m], 2 * k, 3 * hecho);
	float sr = b.re + c.re, si = b.im + c.im;
	float dr = SEN60 * (b.re - c.re), di = SEN60 * (b.im - c.im);
	float mr = a.re - 0.5f * sr, mi = a.im - 0.5f * si;
	sal[q].re = a.re + sr;             sal[q].im = a.im + si;
	sal[q + hecho].re = mr + di;       sal[q + hecho].im = mi - dr;
	sal[q + 2 * hecho].re = mr - di;   sal[q + 2 * hecho].im = mi + dr;
}

kernel void paso5(global const comp *ent, global comp *sal, int n, int hecho)
{
	int g = get_global_id(0);
	int m = n / 5;
	int k = g % hecho;
	int q = (g / hecho) * 5 * hecho + k;
	comp v[5];
	for (int j = 0; j < 5; j++)
		v[j] = giro(ent[g + j * m], j * k, 5 * hecho);
	for (int r = 0; r < 5; r++) {
		comp s = v[0];
		for (int j = 1; j < 5; j++) {
			comp t = giro(v[j], (j * r) % 5, 5);
			s.re += t.re;
			s.im += t.im;
		}
		sal[q + r * hecho] = s;
	}
}

kernel void copia(global const comp *ent, global comp *sal)
{
	sal[get_global_id(0)] = ent[get_global_id(0)];
}

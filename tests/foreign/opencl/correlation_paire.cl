// Corrélation croisée circulaire de deux signaux réels : c[m] = somme des x[j] y[j+m].
// Les deux signaux font un seul signal complexe z = x + i y, donc une TFR aller et une retour.

float2 prod(float2 a, float2 b)
{
	return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

float2 conjugue(float2 a)
{
	return (float2)(a.x, -a.y);
}

float2 cercle(float th)
{
	float c;
	float s = sincos(th, &c);
	return (float2)(c, s);
}

// base 4, entre deux tableaux ; rend celui où se trouve le résultat
local float2 *tfr4(local float2 *de, local float2 *vers, int n, float sens)
{
	const int j = get_local_id(0);
	const int quart = n / 4;
	for (int l = 1; l < n; l *= 4) {
		const int k = j % l;
		const float th = sens * M_PI_F * k / (2 * l);
		const float2 u0 = de[j];
		const float2 u1 = prod(de[j + quart], cercle(th));
		const float2 u2 = prod(de[j + 2 * quart], cercle(2 * th));
		const float2 u3 = prod(de[j + 3 * quart], cercle(3 * th));
		const float2 s02 = u0 + u2, d02 = u0 - u2;
		const float2 s13 = u1 + u3, d13 = u1 - u3;
		const float2 tourne = sens * (float2)(-d13.y, d13.x);
		const int o = (j - k) * 4 + k;
		vers[o] = s02 + s13;
		vers[o + l] = d02 + tourne;
		vers[o + 2 * l] = s02 - s13;
		vers[o + 3 * l] = d02 - tourne;
		barrier(CLK_LOCAL_MEM_FENCE);
		local float2 *echange = de;
		de = vers;
		vers = echange;
	}
	return de;
}

kernel void correler(global const float *x, global const float *y, global float *c, local float2 *A, local float2 *B, int n)
{
	const int j = get_local_id(0), pas = get_local_size(0);
	const int debut = get_group_id(0) * n;

	for (int k = j; k < n; k += pas)
		A[k] = (float2)(x[debut + k], y[debut + k]);
	barrier(CLK_LOCAL_MEM_FENCE);

	local float2 *Z = tfr4(A, B, n, -1.0f);
	local float2 *autre = Z == A ? B : A;

	for (int k = j; k < n; k += pas) {
		const float2 p = Z[k];
		const float2 q = conjugue(Z[(n - k) % n]);
		const float2 X = 0.5f * (p + q);
		const float2 D = 0.5f * (p - q);
		const float2 Y = (float2)(D.y, -D.x);   // D / i
		autre[k] = prod(conjugue(X), Y);
	}
	barrier(CLK_LOCAL_MEM_FENCE);

	local float2 *r = tfr4(autre, Z, n, 1.0f);
	for (int k = j; k < n; k += pas)
		c[debut + k] = r[k].x / n;
}

// la définition, pour comparer
kernel void correler_lentement(global const float *x, global const float *y, global float *c, int n)
{
	const int m = get_global_id(0) % n, ligne = get_global_id(0) / n;
	float somme = 0;
	for (int j = 0, i = m; j < n; j++, i++) {
		if (i == n) i = 0;
		somme += x[ligne * n + j] * y[ligne * n + i];
	}
	c[get_global_id(0)] = somme;
}

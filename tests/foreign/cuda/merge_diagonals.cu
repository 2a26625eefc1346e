// Ordenacion por mezcla. Primero cada bloque ordena su trozo (cada hilo VT claves por insercion, luego mezclas
// en memoria compartida); despues una llamada por nivel mezcla tramos vecinos. Cada hilo busca por
// biseccion donde su diagonal corta el camino de mezcla.

#define NT 8
#define VT 4
#define NV (NT * VT)

struct Menor {
    __device__ bool operator()(float a, float b) const { return a < b; }
};

// Cuantas claves de `a` hay entre las primeras `diag` del resultado.
template <class Cmp>
__device__ int busca_camino(const float *a, int na, const float *b, int nb, int diag, Cmp menor)
{
    int ini = max(0, diag - nb);
    int fin = min(diag, na);
    while (ini < fin) {
        int medio = (ini + fin) >> 1;
        if (menor(b[diag - 1 - medio], a[medio]))
            fin = medio;
        else
            ini = medio + 1;
    }
    return ini;
}

// VT pasos de la mezcla a partir del corte (ia, ib)
template <class Cmp>
__device__ void mezcla_serie(const float *a, int ia, int na, const float *b, int ib, int nb,
                             float (&sale)[VT], Cmp menor)
{
    for (int k = 0; k < VT; k++) {
        bool toma_b = ia >= na || (ib < nb && menor(b[ib], a[ia]));
        if (toma_b && ib < nb)
            sale[k] = b[ib++];
        else if (ia < na)
            sale[k] = a[ia++];
    }
}

extern "C" __global__ void ordena_trozos(const float *entrada, float *salida, int n, float tope)
{
    __shared__ float trozo[NV];
    float clave[VT];
    const int base = blockIdx.x * NV;
    const int mio = threadIdx.x * VT;

    for (int k = 0; k < VT; k++) {
        const int i = base + mio + k;
        float nueva = i < n ? entrada[i] : tope;
        int hueco = k;
        while (hueco > 0 && nueva < clave[hueco - 1]) {
            clave[hueco] = clave[hueco - 1];
            hueco--;
        }
        clave[hueco] = nueva;
    }

    for (int ancho = VT; ancho < NV; ancho *= 2) {
        for (int k = 0; k < VT; k++)
            trozo[mio + k] = clave[k];
        __syncthreads();
        const int par = mio / (2 * ancho) * (2 * ancho);
        const float *a = trozo + par;
        const float *b = a + ancho;
        const int diag = mio - par;
        const int corte = busca_camino(a, ancho, b, ancho, diag, Menor());
        mezcla_serie(a, corte, ancho, b, diag - corte, ancho, clave, Menor());
        __syncthreads();
    }

    for (int k = 0; k < VT; k++)
        if (base + mio + k < n)
            salida[base + mio + k] = clave[k];
}

extern "C" __global__ void mezcla_nivel(const float *entrada, float *salida, int n, int ancho)
{
    const int i0 = (blockIdx.x * blockDim.x + threadIdx.x) * VT;
    if (i0 >= n) return;
    const int par = i0 / (2 * ancho) * (2 * ancho);
    const int na = min(ancho, n - par);
    const int nb = max(0, min(ancho, n - par - ancho));
    const float *a = entrada + par, *b = entrada + par + na;

    float sale[VT];
    const int diag = i0 - par;
    const int corte = busca_camino(a, na, b, nb, diag, Menor());
    mezcla_serie(a, corte, na, b, diag - corte, nb, sale, Menor());
    for (int k = 0; k < VT && i0 + k < n; k++)
        salida[i0 + k] = sale[k];
}

// Histograma de bytes com COPIAS sub-histogramas por grupo (menos colisoes), e a moda no fim.
// saida: BINS contagens, depois o indice da maior delas (a primeira, se ha empate).
#define BINS    8
#define COPIAS  4
#define PASSO   (BINS + 1)

__kernel void zera(__global int *saida)
{
    saida[get_global_id(0)] = 0;
}

__kernel void conta(__global const uchar *dados, __global int *saida, int n)
{
    __local int sub[COPIAS * PASSO];
    const int lid = get_local_id(0);
    const int lsz = get_local_size(0);

    for (int i = lid; i < COPIAS * PASSO; i += lsz)
        sub[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    __local int *meu = sub + (lid % COPIAS) * PASSO;
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_inc(&meu[dados[i] >> 5]);
    barrier(CLK_LOCAL_MEM_FENCE);

    if (lid < BINS) {
        int soma = 0;
        for (int c = 0; c < COPIAS; c++)
            soma += sub[c * PASSO + lid];
        if (soma)
            atomic_add(&saida[lid], soma);
    }
}

__kernel void moda(__global int *saida)
{
    __local uint melhor;
    const uint b = get_local_id(0);
    if (b == 0)
        melhor = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    // contagem nos bits altos; bins menores ganham o empate
    atomic_max(&melhor, (uint)saida[b] << 8 | (255u - b));
    barrier(CLK_LOCAL_MEM_FENCE);

    if (b == 0)
        saida[BINS] = 255u - (melhor & 255u);
}

__kernel void confere(__global const uchar *dados, __global int *certo, int n)
{
    int maior = 0;
    for (int b = 0; b < BINS; b++) {
        int q = 0;
        for (int i = 0; i < n; i++)
            q += dados[i] / 32 == b;
        certo[b] = q;
        if (q > certo[maior])
            maior = b;
    }
    certo[BINS] = maior;
}

// Zamiana macierzy rzadkiej z postaci COO na CSR: zliczanie wierszy, sumy prefiksowe, rozrzucenie,
// na koniec porzadek w wierszach (kolumna, potem kolejnosc w pliku), bo atomiki go nie zachowuja.

struct Wpis
{
    int kolumna;
    int wartosc;
};

__global__ void policz_wiersze(const int *wiersz, unsigned *ile, int nnz)
{
    int krok = gridDim.x * blockDim.x;
    for (int e = blockIdx.x * blockDim.x + threadIdx.x; e < nnz; e += krok)
        atomicAdd(ile + wiersz[e], 1u);
}

// jeden blok, potega dwojki watkow >= m; poczatek[m] = nnz, wolne[] to kopia do rozrzucania
__global__ void sumy_prefiksowe(const unsigned *ile, unsigned *poczatek, unsigned *wolne, int m)
{
    extern __shared__ unsigned s[];
    const int t = threadIdx.x, T = blockDim.x;
    unsigned *stare = s, *nowe = s + T;

    stare[t] = t < m ? ile[t] : 0u;
    __syncthreads();
    for (int d = 1; d < T; d <<= 1)
    {
        nowe[t] = stare[t] + (t >= d ? stare[t - d] : 0u);
        __syncthreads();
        unsigned *p = stare;
        stare = nowe;
        nowe = p;
    }
    if (t < m)
    {
        const unsigned przed = t ? stare[t - 1] : 0u;
        poczatek[t] = przed;
        wolne[t] = przed;
        if (t == m - 1) poczatek[m] = stare[t];
    }
}

__global__ void rozrzuc(const int *wiersz, unsigned *wolne, int *numer, int nnz)
{
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= nnz) return;
    const unsigned gdzie = atomicAdd(&wolne[wiersz[e]], 1u);
    numer[gdzie] = e;
}

__device__ bool przed(const int *kolumna, int p, int q)
{
    return kolumna[p] != kolumna[q] ? kolumna[p] < kolumna[q] : p < q;
}

// watek porzadkuje swoj wiersz przez wstawianie
__global__ void uporzadkuj(const unsigned *poczatek, const int *kolumna, int *numer, int m)
{
    const int w = blockIdx.x * blockDim.x + threadIdx.x;
    if (w >= m) return;
    const int od = poczatek[w], po = poczatek[w + 1];
    for (int i = od + 1; i < po; ++i)
    {
        const int x = numer[i];
        int k = i;
        for (; k > od && przed(kolumna, x, numer[k - 1]); --k)
            numer[k] = numer[k - 1];
        numer[k] = x;
    }
}

__global__ void zbierz(const int *numer, const int *kolumna, const int *wartosc, Wpis *csr, int nnz)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < nnz)
    {
        const int e = numer[i];
        csr[i].kolumna = kolumna[e];
        csr[i].wartosc = wartosc[e];
    }
}

__global__ void indeksy(const int *szum, int *wiersz, int *kolumna, int nnz, int m, int k)
{
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= nnz) return;
    wiersz[e] = szum[e] % m;
    kolumna[e] = szum[e] / m % k;
}

// wzorzec: kto stoi przede mna?
__global__ void csr_wprost(const int *wiersz, const int *kolumna, const int *wartosc, Wpis *csr, int nnz)
{
    const int e = threadIdx.x;
    int miejsce = 0;
    for (int q = 0; q < nnz; ++q)
        if (wiersz[q] != wiersz[e] ? wiersz[q] < wiersz[e] : przed(kolumna, q, e)) ++miejsce;
    csr[miejsce].kolumna = kolumna[e];
    csr[miejsce].wartosc = wartosc[e];
}

// Densità spettrale di potenza secondo Welch: finestre di Hann sovrapposte, FFT in memoria locale, media.
// Un gruppo per ogni finestra, LUNG/2 work-item; LUNG è una potenza di due.

typedef struct {
    int   finestre;
    int   passo;      // distanza tra due finestre
    float scala;
} Parametri;

#define META  (LUNG / 2)
#define BINS  (META + 1)

inline float hann(int i)
{
    return 0.5f - 0.5f * cos(2.0f * M_PI_F * i / LUNG);
}

inline uint rovescia(uint v, uint bit)
{
    uint r = 0;
    for (uint b = 0; b < bit; ++b, v >>= 1)
        r = (r << 1) | (v & 1);
    return r;
}

kernel void spettro(global const float* segnale, global float* potenza, const Parametri par)
{
    local float2 z[LUNG];
    local float2 giro[META];

    const int f = get_group_id(0);
    const int l = get_local_id(0);
    const uint bit = 31 - clz((uint)LUNG);

    // tabella delle radici
    float re, im = sincos(-2.0f * M_PI_F * l / LUNG, &re);
    giro[l] = (float2)(re, im);

    // carica con finestra e ordine a bit rovesciati
    for (int i = l; i < LUNG; i += META)
        z[rovescia(i, bit)] = (float2)(segnale[f * par.passo + i] * hann(i), 0.0f);
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int h = 1, salto = META; h < LUNG; h <<= 1, salto >>= 1) {
        const int j = l & (h - 1);
        const int su = 2 * l - j;
        const float2 w = giro[j * salto];
        const float2 a = z[su];
        const float2 b = z[su + h];
        const float2 t = (float2)(w.x * b.x - w.y * b.y, w.x * b.y + w.y * b.x);
        z[su] = a + t;
        z[su + h] = a - t;
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    // spettro unilaterale: le righe interne contano due volte
    global float* riga = potenza + f * BINS;
    riga[l] = (l == 0 ? 1.0f : 2.0f) * par.scala * dot(z[l], z[l]);
    if (l == 0)
        riga[META] = par.scala * dot(z[META], z[META]);
}

kernel void media(global const float* potenza, global float* psd, const Parametri par)
{
    const int k = get_global_id(0);
    if (k >= BINS)
        return;
    float s = 0.0f;
    for (int f = 0; f < par.finestre; ++f)
        s += potenza[f * BINS + k];
    psd[k] = s / par.finestre;
}

// confronto: dalla definizione, in doppia precisione
kernel void lento(global const float* segnale, global float* psd, int finestre, int passo, float scala)
{
    const int k = get_global_id(0);
    double somma = 0;
    for (int f = 0; f < finestre; ++f) {
        double re = 0, im = 0;
        for (int i = 0; i < LUNG; ++i) {
            const double v = segnale[f * passo + i] * pown(sinpi((double)i / LUNG), 2);
            re += v * cospi(2.0 * (i * k % LUNG) / LUNG);
            im -= v * sinpi(2.0 * (i * k % LUNG) / LUNG);
        }
        somma += re * re + im * im;
    }
    if (k != 0 && k != LUNG / 2)
        somma *= 2;
    psd[k] = somma * scala / finestre;
}

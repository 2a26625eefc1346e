/* Sliding DFT: the window goes on by one sample, every work-item keeps the value of its bin. */
typedef float2 cfloat;
#define RE(z) ((z).s0)
#define IM(z) ((z).s1)

static cfloat turned(cfloat z, cfloat w)
{
    return (cfloat)(RE(z) * RE(w) - IM(z) * IM(w), RE(z) * IM(w) + IM(z) * RE(w));
}

kernel void sliding(global const float *samples, global cfloat *spectra, const int window, const int hops)
{
    const int bin = get_global_id(0);
    if (bin >= window)
        return;

    // the first window, term by term
    cfloat X = (cfloat)(0.0f, 0.0f);
    int phase = 0;
    for (int s = 0; s < window; s++) {
        const float angle = 2.0f * M_PI_F * phase / window;
        RE(X) += samples[s] * cos(angle);
        IM(X) -= samples[s] * sin(angle);
        phase = (phase + bin) % window;
    }
    spectra[bin] = X;

    // from one window to the next
    const float theta = 2.0f * M_PI_F * bin / window;
    const cfloat ahead = (cfloat)(cos(theta), sin(theta));
    for (int hop = 1; hop <= hops; hop++) {
        const float oldest = samples[hop - 1];
        const float newest = samples[hop - 1 + window];
        RE(X) += newest - oldest;
        X = turned(X, ahead);
        spectra[hop * window + bin] = X;
    }
}

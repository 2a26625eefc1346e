// Otsu eşikleme: histogram, kümülatif toplamlar, sınıflar arası varyansın en büyüğü.
// KUTU = kutu sayısı (2'nin kuvveti), her kutuda 256/KUTU gri değer.
#define KUTU   64
#define KAYDIR 2

inline uint kutu_no(uchar gri) { return gri >> KAYDIR; }

__kernel void temizle(__global uint *hist) { hist[get_global_id(0)] = 0; }

__kernel void say(__global const uchar *goruntu, __global uint *hist, uint adet)
{
    __local uint yerel[KUTU];
    const uint t = get_local_id(0);
    for (uint k = t; k < KUTU; k += get_local_size(0))
        yerel[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    // dörder dörder, artanlar tek tek
    const uint g = get_global_id(0);
    const uint dortlu = adet >> 2;
    for (uint i = g; i < dortlu; i += get_global_size(0)) {
        const uchar4 p = vload4(i, goruntu);
        atomic_inc(&yerel[kutu_no(p.s0)]);
        atomic_inc(&yerel[kutu_no(p.s1)]);
        atomic_inc(&yerel[kutu_no(p.s2)]);
        atomic_inc(&yerel[kutu_no(p.s3)]);
    }
    if (g < (adet & 3))
        atomic_inc(&yerel[kutu_no(goruntu[4 * dortlu + g])]);
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint k = t; k < KUTU; k += get_local_size(0))
        if (yerel[k])
            atomic_add(&hist[k], yerel[k]);
}

// tek grup, kutu başına bir iş öğesi; sonuc: KUTU kümülatif sayı, eşik, öndeki nokta sayısı
__kernel void esik_bul(__global const uint *hist, __global uint *sonuc, uint adet)
{
    __local uint2 top[KUTU];          // .x sayı, .y ağırlıklı toplam
    __local float puan[KUTU];
    __local uint  yer[KUTU];
    const uint k = get_local_id(0);

    top[k] = (uint2)(hist[k], hist[k] * k);
    for (uint d = 1; d < KUTU; d *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint2 once = k >= d ? top[k - d] : (uint2)(0, 0);
        barrier(CLK_LOCAL_MEM_FENCE);
        top[k] += once;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    const uint arka = top[k].x, on = adet - arka;
    float v = 0.0f;
    if (arka && on) {
        const float fark = (float)top[k].y / arka - (float)(top[KUTU - 1].y - top[k].y) / on;
        v = (float)arka * on * fark * fark;
    }
    puan[k] = v;
    yer[k] = k;
    for (uint s = KUTU / 2; s; s /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (k < s && (puan[k + s] > puan[k] || (puan[k + s] == puan[k] && yer[k + s] < yer[k]))) {
            puan[k] = puan[k + s];
            yer[k] = yer[k + s];
        }
    }
    sonuc[k] = arka;
    if (k == 0) {
        sonuc[KUTU] = yer[0];
        sonuc[KUTU + 1] = adet - top[yer[0]].x;
    }
}

// karşılaştırma için: tek iş öğesi
__kernel void esik_yavas(__global const uchar *goruntu, __global uint *sonuc, uint adet)
{
    double en_iyi = 0.0;
    uint esik = 0;
    for (uint k = 0; k < KUTU; k++) {
        double n0 = 0, s0 = 0, n1 = 0, s1 = 0;
        for (uint i = 0; i < adet; i++) {
            uint b = goruntu[i] / 4;
            if (b <= k) { n0 += 1; s0 += b; } else { n1 += 1; s1 += b; }
        }
        sonuc[k] = (uint)n0;
        double v = n0 > 0 && n1 > 0 ? n0 * n1 * (s0 / n0 - s1 / n1) * (s0 / n0 - s1 / n1) : 0.0;
        if (v > en_iyi) { en_iyi = v; esik = k; }
    }
    sonuc[KUTU] = esik;
    sonuc[KUTU + 1] = adet - sonuc[esik];
}

// Shearsort op een rooster van ZIJDE x ZIJDE: rijen als een slang, kolommen omlaag, log2(ZIJDE)+1 keer,
// daarna de rijen nog een keer. Een werkgroep per lijn, oneven-even transpositie in lokaal geheugen.

#define OP(rij, kol)  ((rij) * ZIJDE + (kol))

void ruil(__local float *lijn, int i, bool dalend)
{
    float a = lijn[i], b = lijn[i + 1];
    if ((a > b) != dalend) {
        lijn[i] = b;
        lijn[i + 1] = a;
    }
}

void sorteer_lijn(__local float *lijn, int i, bool dalend)
{
    for (int stap = 0; stap < ZIJDE; stap++) {
        if ((i & 1) == (stap & 1) && i + 1 < ZIJDE)
            ruil(lijn, i, dalend);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

__kernel void rijen(__global float *rooster)
{
    __local float lijn[ZIJDE];
    int kol = get_local_id(0);
    int rij = get_group_id(0);

    lijn[kol] = rooster[OP(rij, kol)];
    barrier(CLK_LOCAL_MEM_FENCE);
    sorteer_lijn(lijn, kol, rij % 2 == 1);       // even rijen stijgen, oneven rijen dalen
    rooster[OP(rij, kol)] = lijn[kol];
}

__kernel void kolommen(__global float *rooster)
{
    __local float lijn[ZIJDE];
    int rij = get_local_id(0);
    int kol = get_group_id(0);

    lijn[rij] = rooster[OP(rij, kol)];
    barrier(CLK_LOCAL_MEM_FENCE);
    sorteer_lijn(lijn, rij, false);
    rooster[OP(rij, kol)] = lijn[rij];
}

// de slang rechttrekken
__kernel void strek(__global const float *rooster, __global float *rij_van_getallen)
{
    int kol = get_global_id(0), rij = get_global_id(1);
    int doel = rij & 1 ? ZIJDE - 1 - kol : kol;
    rij_van_getallen[OP(rij, doel)] = rooster[OP(rij, kol)];
}

// Пирамида Лапласа (Burt, Adelson 1983): один уровень.
// сжатие: фильтр 1 4 6 4 1 по строкам, потом по столбцам, каждый второй отсчёт; края повторяются
// растяжение: чётные отсчёты (1 6 1)/8, нечётные (4 4)/8; деталь = исходное - растянутое

#define POLOSA   8                       // столько выходных отсчётов считает группа
#define OKNO     (2 * POLOSA + 3)

float binom5(float a, float b, float c, float d, float e)
{
    return (a + e + 4.0f * (b + d) + 6.0f * c) / 16.0f;
}

// исходное (shirina x vysota) -> строки вдвое короче
kernel void szhat_stroki(global const float *img, global float *tmp, int shirina)
{
    local float okno[OKNO];
    const int l = get_local_id(0);
    const int y = get_global_id(1);
    const int x0 = 2 * get_group_id(0) * POLOSA - 2;

    for (int i = l; i < OKNO; i += POLOSA)
        okno[i] = img[y * shirina + clamp(x0 + i, 0, shirina - 1)];
    barrier(CLK_LOCAL_MEM_FENCE);

    const int x = get_global_id(0);
    if (x < shirina / 2)
        tmp[y * (shirina / 2) + x] = binom5(okno[2*l], okno[2*l + 1], okno[2*l + 2], okno[2*l + 3], okno[2*l + 4]);
}

// столбцы вдвое короче
kernel void szhat_stolbcy(global const float *tmp, global float *mal, int shag, int vysota)
{
    const int x = get_global_id(0), y = get_global_id(1);
    float v[5];
    for (int k = 0; k < 5; k++) {
        int yy = clamp(2 * y + k - 2, 0, vysota - 1);
        v[k] = tmp[yy * shag + x];
    }
    mal[y * shag + x] = binom5(v[0], v[1], v[2], v[3], v[4]);
}

float rastyanut(float levo, float centr, float pravo, int nechet)
{
    return nechet ? 0.5f * (centr + pravo) : 0.125f * (levo + 6.0f * centr + pravo);
}

kernel void detal(global const float *img, global const float *mal, global float *lap)
{
    const int w = get_global_size(0), h = get_global_size(1);
    const int x = get_global_id(0), y = get_global_id(1);
    const int cx = x >> 1, cy = y >> 1;
    const int lx = max(cx - 1, 0), px = min(cx + 1, w / 2 - 1);

    float r[3];
    for (int j = -1; j <= 1; j++) {
        global const float *s = mal + clamp(cy + j, 0, h / 2 - 1) * (w / 2);
        r[j + 1] = rastyanut(s[lx], s[cx], s[px], x & 1);
    }
    lap[y * w + x] = img[y * w + x] - rastyanut(r[0], r[1], r[2], y & 1);
}

// то же самое по определению, 5 x 5, один work-item на точку
constant float W[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};

kernel void proverka(global const float *img, global float *lap, int w, int h)
{
    const int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int a = -2; a <= 2; a++)
        for (int b = -2; b <= 2; b++) {
            if (((x + a) & 1) || ((y + b) & 1)) continue;
            const int cx = clamp((x + a) / 2, 0, w / 2 - 1), cy = clamp((y + b) / 2, 0, h / 2 - 1);
            float g = 0;
            for (int c = -2; c <= 2; c++)
                for (int d = -2; d <= 2; d++)
                    g += W[c + 2] * W[d + 2] * img[clamp(2 * cy + d, 0, h - 1) * w + clamp(2 * cx + c, 0, w - 1)];
            sum += 4 * W[a + 2] * W[b + 2] * g;
        }
    lap[y * w + x] = img[y * w + x] - sum;
}

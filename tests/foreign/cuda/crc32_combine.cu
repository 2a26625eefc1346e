// CRC-32 of a message by one block: sixteen bytes a thread, then the remainders are put together in a tree.
#include <stdint.h>

static constexpr uint32_t POLY = 0xedb88320u;     // reflected
static constexpr int BYTES = 16;

// a b mod P, both reflected: bit 31 is 1, bit 30 is x.
__device__ uint32_t times(uint32_t a, uint32_t b)
{
    uint32_t p = 0;
    for (uint32_t m = 1u << 31; m != 0; m >>= 1) {
        if (a & m)
            p ^= b;
        b = (b & 1) ? (b >> 1) ^ POLY : b >> 1;
    }
    return p;
}

__device__ uint32_t x_to_the(uint32_t bits)
{
    uint32_t result = 1u << 31, square = 1u << 30;
    while (bits) {
        if (bits & 1)
            result = times(result, square);
        square = times(square, square);
        bits >>= 1;
    }
    return result;
}

__global__ void crc_block(const uint8_t *message, uint32_t *crc)
{
    __shared__ uint32_t table[256];
    extern __shared__ uint32_t part[];
    const int t = threadIdx.x;

    for (uint32_t i = t; i < 256; i += blockDim.x) {
        uint32_t c = i;
        for (int bit = 0; bit < 8; bit++)
            c = c & 1 ? (c >> 1) ^ POLY : c >> 1;
        table[i] = c;
    }
    __syncthreads();

    uint32_t c = t == 0 ? ~0u : 0u;
    const uint8_t *p = message + t * BYTES;
    for (int i = 0; i < BYTES; i++)
        c = table[(c ^ p[i]) & 0xff] ^ (c >> 8);
    part[t] = c;
    __syncthreads();

    uint32_t shift = x_to_the(8 * BYTES);
    for (int width = 1; width < blockDim.x; width *= 2) {
        if (t % (2 * width) == 0)
            part[t] = times(part[t], shift) ^ part[t + width];
        shift = times(shift, shift);
        __syncthreads();
    }
    if (t == 0)
        *crc = ~part[0];
}

// Bit by bit, by a single thread.
__global__ void crc_serial(const uint8_t *message, uint32_t *crc, int length)
{
    uint32_t r = 0xffffffffu;
    for (int i = 0; i < length; ++i) {
        r ^= message[i];
        for (int k = 0; k < 8; ++k) {
            const uint32_t low = r & 1u;
            r >>= 1;
            if (low) r ^= 0xedb88320u;
        }
    }
    *crc = r ^ 0xffffffffu;
}

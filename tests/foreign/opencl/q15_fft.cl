/* q15_fft.cl - 16-bit fixed point FFT, Q1.15, scaled down by one bit per stage (result = DFT / N).
 * Ported from our DSP firmware, hence the naming.                                               */

typedef short2 q15_cplx;

#define Q15_ONE      32767
#define Q15_ROUND    (1 << 14)
#define Q15_MUL(a,b) ((a) * (b))              /* Q30 */

static short2 q15_pack(float re, float im)
{
	return (short2)(convert_short_sat_rte(re * Q15_ONE), convert_short_sat_rte(im * Q15_ONE));
}

__kernel void q15_twiddle_init(__global q15_cplx *pTwiddle, ushort usLen)
{
	ushort usIdx = get_global_id(0);
	float fRe, fIm;
	fIm = sincos(2.0f * M_PI_F * usIdx / usLen, &fRe);
	pTwiddle[usIdx] = q15_pack(fRe, -fIm);
}

/* float -> Q15, natural order -> bit reversed order */
__kernel void q15_load(__global const float2 *pSrc, __global q15_cplx *pDst, uchar ucLog2Len)
{
	ushort usIdx = get_global_id(0);
	ushort usRev = usIdx;

	usRev = (ushort)(((usRev & 0xAAAA) >> 1) | ((usRev & 0x5555) << 1));
	usRev = (ushort)(((usRev & 0xCCCC) >> 2) | ((usRev & 0x3333) << 2));
	usRev = (ushort)(((usRev & 0xF0F0) >> 4) | ((usRev & 0x0F0F) << 4));
	usRev = (ushort)((usRev >> 8) | (usRev << 8));
	usRev >>= 16 - ucLog2Len;

	pDst[usRev] = q15_pack(pSrc[usIdx].x, pSrc[usIdx].y);
}

__kernel void q15_stage(__global q15_cplx *pData, __global const q15_cplx *pTwiddle,
                        uchar ucLog2Len, uchar ucStage)
{
	uint uiSpan = 1u << ucStage;
	uint uiBfly = get_global_id(0);
	uint uiOff  = uiBfly & (uiSpan - 1);
	uint uiTop  = ((uiBfly >> ucStage) << (ucStage + 1)) | uiOff;
	uint uiBot  = uiTop + uiSpan;

	int2 iW = convert_int2(pTwiddle[uiOff << (ucLog2Len - ucStage - 1)]);
	int2 iA = convert_int2(pData[uiTop]);
	int2 iB = convert_int2(pData[uiBot]);
	int2 iT;

	iT.x = (Q15_MUL(iB.x, iW.x) - Q15_MUL(iB.y, iW.y) + Q15_ROUND) >> 15;
	iT.y = (Q15_MUL(iB.x, iW.y) + Q15_MUL(iB.y, iW.x) + Q15_ROUND) >> 15;

	pData[uiTop] = convert_short2_sat((iA + iT + 1) >> 1);
	pData[uiBot] = convert_short2_sat((iA - iT + 1) >> 1);
}

__kernel void q15_store(__global const q15_cplx *pData, __global float2 *pDst)
{
	uint uiIdx = get_global_id(0);
	pDst[uiIdx] = convert_float2(pData[uiIdx]) / Q15_ONE;
}

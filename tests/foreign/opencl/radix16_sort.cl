// LSD-Radixsort, 4 Bit pro Durchgang, Schluessel und Nutzlast getrennt.
// Jede Gruppe bearbeitet einen zusammenhaengenden Block; stabil.

#define STELLEN   4
#define FAECHER   (1 << STELLEN)
#define BLOCK     8

uint fach(uint schluessel, uint bit)
{
	return (schluessel >> bit) & (FAECHER - 1);
}

// Zaehler spaltenweise: erst alle Gruppen von Fach 0, dann von Fach 1, ...
__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1)))
void zaehle(__global const uint *schluessel, __global uint *zaehler, uint n, uint bit)
{
	__local uint lokal[FAECHER];
	const uint l = get_local_id(0), g = get_group_id(0);

	for (uint f = l; f < FAECHER; f += BLOCK)
		lokal[f] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);

	const uint i = g * BLOCK + l;
	if (i < n)
		atomic_inc(&lokal[fach(schluessel[i], bit)]);
	barrier(CLK_LOCAL_MEM_FENCE);

	for (uint f = l; f < FAECHER; f += BLOCK)
		zaehler[f * get_num_groups(0) + g] = lokal[f];
}

// Exklusive Praefixsumme ueber alle Zaehler: ein Element pro Fach
__kernel void praefix(__global uint *zaehler, uint gruppen)
{
	__local uint summe[FAECHER];
	const uint f = get_local_id(0);
	__global uint *mein = zaehler + f * gruppen;

	uint s = 0;
	for (uint g = 0; g < gruppen; g++) {
		uint z = mein[g];
		mein[g] = s;
		s += z;
	}
	summe[f] = s;
	barrier(CLK_LOCAL_MEM_FENCE);

	uint davor = 0;
	for (uint k = 0; k < f; k++)
		davor += summe[k];
	for (uint g = 0; g < gruppen; g++)
		mein[g] += davor;
}

__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1)))
void verteile(__global const uint *schluessel_ein, __global const ushort *last_ein,
              __global uint *schluessel_aus, __global ushort *last_aus,
              __global const uint *zaehler, uint n, uint bit)
{
	__local uint faecher[BLOCK];
	const uint l = get_local_id(0), g = get_group_id(0);
	const uint i = g * BLOCK + l;

	const uint k = i < n ? schluessel_ein[i] : 0;
	const uint f = fach(k, bit);
	faecher[l] = i < n ? f : FAECHER;
	barrier(CLK_LOCAL_MEM_FENCE);

	uint rang = 0;
	for (uint j = 0; j < l; j++)
		rang += faecher[j] == f;

	if (i < n) {
		const uint ziel = zaehler[f * get_num_groups(0) + g] + rang;
		schluessel_aus[ziel] = k;
		last_aus[ziel] = last_ein[i];
	}
}

__kernel void zusammen(__global const uint *schluessel, __global const ushort *last, __global uint2 *paare)
{
	const uint i = get_global_id(0);
	paare[i] = (uint2)(schluessel[i], last[i]);
}

// zum Vergleich: Einfuegen in eine sortierte Liste
__kernel void einfuegen(__global const uint *schluessel, __global uint2 *paare, uint n)
{
	for (uint i = 0; i < n; i++) {
		uint p = i;
		while (p > 0 && paare[p - 1].x > schluessel[i]) {
			paare[p] = paare[p - 1];
			p--;
		}
		paare[p] = (uint2)(schluessel[i], i);
	}
}

/* Composantes connexes : accrochage au plus petit voisin, puis raccourcis.
   Les etiquettes sont des numeros de sommets ; deux tableaux en alternance. */

kernel void aretes(global const int *hasard, global int2 *arete, int sommets, int nb)
{
    int e = get_global_id(0);
    if (e >= nb) return;
    arete[e].x = hasard[2 * e] % sommets;
    arete[e].y = hasard[2 * e + 1] % sommets;
}

kernel void depart(global int *parent, int sommets)
{
    int s = get_global_id(0);
    if (s < sommets) parent[s] = s;
}

kernel void copie(global const int *de, global int *vers, int sommets)
{
    int s = get_global_id(0);
    if (s < sommets) vers[s] = de[s];
}

/* suivant contient deja une copie de parent */
kernel void accroche(global const int2 *arete, global const int *parent, global int *suivant, int nb)
{
    int e = get_global_id(0);
    if (e >= nb) return;
    int2 a = arete[e];
    int pu = parent[a.x];
    int pv = parent[a.y];
    if (pu == pv) return;
    int petit = min(pu, pv);
    int grand = max(pu, pv);
    atomic_min(&suivant[grand], petit);
}

kernel void raccourci(global const int *suivant, global int *parent, int sommets)
{
    int s = get_global_id(0);
    if (s >= sommets) return;
    int p = suivant[s];
    while (p != suivant[p])
        p = suivant[p];
    parent[s] = p;
}

kernel void tailles(global const int *parent, global int *taille, int sommets)
{
    int s = get_global_id(0);
    if (s < sommets) atomic_inc(&taille[parent[s]]);
}

kernel void resultat(global const int *parent, global const int *taille, global int2 *sortie, int sommets)
{
    int s = get_global_id(0);
    if (s >= sommets) return;
    int p = parent[s];
    sortie[s] = (int2)(p, taille[p]);
}

/* reference : inondation a partir de chaque sommet non visite */
kernel void inondation(global const int *hasard, global int2 *sortie, int sommets, int nb)
{
    int marque[64];
    for (int s = 0; s < sommets; s++) marque[s] = -1;
    for (int s = 0; s < sommets; s++) {
        if (marque[s] >= 0) continue;
        int nombre = 1, change = 1;
        marque[s] = s;
        while (change) {
            change = 0;
            for (int e = 0; e < nb; e++) {
                int u = hasard[2 * e] % sommets, v = hasard[2 * e + 1] % sommets;
                if (marque[u] == s && marque[v] < 0) { marque[v] = s; nombre++; change = 1; }
                if (marque[v] == s && marque[u] < 0) { marque[u] = s; nombre++; change = 1; }
            }
        }
        for (int t = 0; t < sommets; t++)
            if (marque[t] == s) sortie[t] = (int2)(s, nombre);
    }
}

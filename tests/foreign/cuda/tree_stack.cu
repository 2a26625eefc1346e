// Sums of the subtrees of a heap, walked with a stack of the thread's own: left out are the nodes whose value is negative.
#define DEPTH 12

struct Visit { int node; };

__global__ void subtree_sums(const int *value, int *sum, int n)
{
    int root = blockIdx.x * blockDim.x + threadIdx.x;
    if (root >= n) return;
    int stack[DEPTH], top = 0, total = 0;
    stack[top++] = root;
walk:
    if (top > 0) {
        int node = stack[--top];
        Visit left = {2 * node + 1};
        switch (value[node] < 0) {
        case 0:
            int both[2];
            both[0] = left.node;
            both[1] = left.node + 1;
            total += value[node];
            for (int k = 1; k >= 0; k--)
                if (both[k] < n && top < DEPTH) stack[top++] = both[k];
            break;
        default:
            break;
        }
        goto walk;
    }
    sum[root] = total;
}

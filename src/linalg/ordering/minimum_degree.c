// Approximate minimum degree on the quotient graph (Amestoy, Davis, Duff 1996), with weighted vertices: our own, for
// builds without SuiteSparse.
//
// An eliminated vertex p becomes an *element*: the clique of its neighbours L_p, which absorbs the elements that p touched.
// A *variable* i, not yet eliminated, keeps a list of elements E_i and a list of variables A_i. Its degree is bounded by
//
//     d_i <= |A_i| + |L_p \ i| + sum over e in E_i other than p of |L_e \ L_p|
//
// where |.| counts unknowns. Variables with the same lists are merged; those whose only neighbours are L_p are eliminated
// with p. Rows that are nearly full would make this quadratic: they are ordered last.
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/sort.h"
#include "linalg/ordering/graph.h"

static const double DENSE = 10; // a vertex with more than this times the square root of all vertices as neighbours
enum { DENSE_LEAST = 16 };      // and with more than this many is dense

typedef struct quotient {
    int n;
    // variables
    int *weight;     // (n) unknowns; 0: merged with another, eliminated or dense
    int *degree;     // (n) bound on the unknowns around it
    int64_t *start;  // (n) its lists in `list`: elements, then variables
    int *elements;   // (n) their number
    int *length;     // (n) of both lists
    int *list;       // (edges, both ways)
    int *last;       // (n) of the variables merged with it
    int *merged;     // (n) the next of them; -1: none
    int *mark;       // (n) == stamp: in L_p
    int *hash, *bag; // (n) of its lists; variables with the same hash
    int *next;       // (n) in the bag, or in the list of variables of this degree
    int *previous;   // (n) in the list of variables of this degree
    int *scratch;    // (n)
    // elements, named after their pivots
    int64_t *at;      // (n) variables of an element in `pool`
    int *size;        // (n) their number; -1: absorbed
    int *unknowns;    // (n) sum of their weights
    int64_t *outside; // (n) stamp-based: base + |L_e \ L_p|
    int *born;        // (n) elements in the order of their elimination
    int *pool;
    int64_t used, capacity;
    // bookkeeping
    int *head; // (unknowns + 1) first variable of each degree, -1: none
    int least; // no variable has a smaller degree
    int stamp, count, left;
    int64_t base; // of `outside`
} quotient;

static bool allocate(quotient *q, const vs_graph *G, int unknowns, vs_arena *a) {
    int n = q->n = G->vertices;
    int **ints[] = {&q->weight, &q->degree, &q->elements, &q->length,  &q->last, &q->merged, &q->mark,    &q->hash,
                    &q->bag,    &q->next,   &q->previous, &q->scratch, &q->size, &q->born,   &q->unknowns};
    bool complete = true;
    for (size_t k = 0; k < sizeof ints / sizeof *ints; k++)
        complete = (*ints[k] = VS_NEW_ZERO(a, int, n)) && complete;
    // The lists of live elements never hold more than those of the vertices they replace did.
    q->capacity = G->p[n] + G->p[n] / 2 + n;
    q->start = VS_NEW(a, int64_t, n);
    q->at = VS_NEW(a, int64_t, n);
    q->outside = VS_NEW_ZERO(a, int64_t, n);
    q->list = VS_NEW(a, int, G->p[n]);
    q->pool = VS_NEW(a, int, q->capacity);
    q->head = VS_NEW(a, int, unknowns + 1);
    return complete && q->start && q->at && q->outside && q->list && q->pool && q->head;
}

// ---- lists of variables of the same degree -------------------------------------------------------------

static void insert(quotient *q, int i) {
    int *head = q->head + q->degree[i];
    q->next[i] = *head;
    q->previous[i] = -1;
    if (*head >= 0)
        q->previous[*head] = i;
    *head = i;
    q->least = q->degree[i] < q->least ? q->degree[i] : q->least;
}

static void take_out(quotient *q, int i) {
    if (q->previous[i] >= 0)
        q->next[q->previous[i]] = q->next[i];
    else
        q->head[q->degree[i]] = q->next[i];
    if (q->next[i] >= 0)
        q->previous[q->next[i]] = q->previous[i];
}

static int take_least(quotient *q) {
    while (q->head[q->least] < 0)
        q->least++;
    int pivot = q->head[q->least];
    take_out(q, pivot);
    return pivot;
}

// ---- the graph at the start ----------------------------------------------------------------------------

static void load(quotient *q, const vs_graph *G, int unknowns) {
    double most = fmax(DENSE_LEAST, DENSE * sqrt(q->n));
    for (int d = 0; d <= unknowns; d++)
        q->head[d] = -1;
    for (int i = 0; i < q->n; i++) {
        bool dense = (double)(G->p[i + 1] - G->p[i]) > most;
        q->weight[i] = dense ? 0 : vs_graph_weight(G, i);
        q->left += q->weight[i];
        q->last[i] = i;
        q->merged[i] = q->bag[i] = -1;
    }
    for (int i = 0; i < q->n; i++) {
        q->start[i] = G->p[i];
        for (int64_t t = G->p[i]; t < G->p[i + 1]; t++) {
            int j = G->i[t];
            if (q->weight[j] == 0)
                continue;
            q->list[q->start[i] + q->length[i]++] = j;
            q->degree[i] += q->weight[j];
        }
        vs_sort_ints(q->list + q->start[i], q->length[i]);
        if (q->weight[i] > 0)
            insert(q, i);
    }
}

// ---- one elimination -----------------------------------------------------------------------------------

static void compact(quotient *q) {
    q->used = 0;
    for (int k = 0; k < q->count; k++) {
        int e = q->born[k];
        if (q->size[e] < 0)
            continue;
        memmove(q->pool + q->used, q->pool + q->at[e], sizeof(int) * (size_t)q->size[e]);
        q->at[e] = q->used;
        q->used += q->size[e];
    }
}

static void gather(quotient *q, int p, const int *variables, int count) {
    for (int k = 0; k < count; k++) {
        int i = variables[k];
        if (q->weight[i] == 0 || i == p || q->mark[i] == q->stamp)
            continue;
        q->mark[i] = q->stamp;
        q->pool[q->used++] = i;
        q->unknowns[p] += q->weight[i];
        take_out(q, i);
    }
}

// L_p: the variables of p and of its elements, which are absorbed.
static void make_element(quotient *q, int p) {
    const int *list = q->list + q->start[p];
    if (q->used + q->n > q->capacity)
        compact(q);
    q->stamp++;
    q->at[p] = q->used;
    q->unknowns[p] = 0;
    gather(q, p, list + q->elements[p], q->length[p] - q->elements[p]);
    for (int k = 0; k < q->elements[p]; k++) {
        int e = list[k];
        if (q->size[e] < 0)
            continue;
        gather(q, p, q->pool + q->at[e], q->size[e]);
        q->size[e] = -1;
    }
    q->size[p] = (int)(q->used - q->at[p]);
    q->born[q->count++] = p;
    q->left -= q->weight[p];
}

// |L_e \ L_p| of every element that touches L_p. Elements inside of L_p are absorbed, too.
static void measure_outside(quotient *q, int p) {
    int64_t base = q->base += INT64_C(1) << 32; // more than all unknowns: older values are smaller
    const int *L = q->pool + q->at[p];
    for (int k = 0; k < q->size[p]; k++) {
        const int *list = q->list + q->start[L[k]];
        for (int t = 0; t < q->elements[L[k]]; t++) {
            int e = list[t];
            if (q->size[e] < 0)
                continue;
            if (q->outside[e] < base)
                q->outside[e] = base + q->unknowns[e];
            q->outside[e] -= q->weight[L[k]];
        }
    }
    for (int k = 0; k < q->size[p]; k++) {
        const int *list = q->list + q->start[L[k]];
        for (int t = 0; t < q->elements[L[k]]; t++)
            if (q->size[list[t]] >= 0 && q->outside[list[t]] == base)
                q->size[list[t]] = -1;
    }
}

// New lists of variable i in L_p, its hash, and its degree outside of L_p.
static void update_lists(quotient *q, int p, int i) {
    int *list = q->list + q->start[i], *kept = q->scratch, count = 0;
    int64_t outside = 0;
    unsigned hash = 0;
    for (int t = 0; t < q->elements[i]; t++)
        if (q->size[list[t]] >= 0) {
            kept[count++] = list[t];
            outside += q->outside[list[t]] - q->base;
            hash += (unsigned)list[t];
        }
    kept[count++] = p;
    int elements = count;
    for (int t = q->elements[i]; t < q->length[i]; t++)
        if (q->weight[list[t]] > 0 && list[t] != p && q->mark[list[t]] != q->stamp) {
            kept[count++] = list[t];
            outside += q->weight[list[t]];
            hash += (unsigned)list[t];
        }
    memcpy(list, kept, sizeof(int) * (size_t)count);
    q->elements[i] = elements;
    q->length[i] = count;
    q->hash[i] = (int)(hash % (unsigned)q->n);
    q->degree[i] = outside < q->degree[i] ? (int)outside : q->degree[i];
}

static void join(quotient *q, int to, int i) {
    q->merged[q->last[to]] = i;
    q->last[to] = q->last[i];
    q->weight[to] += q->weight[i];
    q->weight[i] = 0;
}

static bool same_lists(const quotient *q, int i, int j) {
    return q->elements[i] == q->elements[j] && q->length[i] == q->length[j] &&
           memcmp(q->list + q->start[i], q->list + q->start[j], sizeof(int) * (size_t)q->length[i]) == 0;
}

// Variables with the same lists become one. Lists are in the same order wherever they are the same: elements by the time
// they were born, variables ascending.
static void merge_same(quotient *q, int p) {
    const int *L = q->pool + q->at[p];
    for (int k = 0; k < q->size[p]; k++) {
        int i = L[k], *bag = q->bag + q->hash[i];
        if (q->weight[i] == 0)
            continue;
        int j = *bag;
        while (j >= 0 && !same_lists(q, i, j))
            j = q->next[j];
        if (j >= 0) {
            join(q, j, i);
        } else {
            q->next[i] = *bag;
            *bag = i;
        }
    }
    for (int k = 0; k < q->size[p]; k++)
        q->bag[q->hash[L[k]]] = -1;
}

// What is left of L_p, with its degrees.
static void settle(quotient *q, int p) {
    int *L = q->pool + q->at[p], count = 0;
    for (int k = 0; k < q->size[p]; k++) {
        int i = L[k], inside = q->unknowns[p] - q->weight[i];
        if (q->weight[i] == 0)
            continue;
        L[count++] = i;
        q->degree[i] += inside;
        q->degree[i] = q->degree[i] < q->left - q->weight[i] ? q->degree[i] : q->left - q->weight[i];
        insert(q, i);
    }
    q->size[p] = count;
    q->used = q->at[p] + count;
}

static void eliminate(quotient *q, int p) {
    make_element(q, p);
    measure_outside(q, p);
    for (int k = 0; k < q->size[p]; k++) {
        int i = q->pool[q->at[p] + k];
        update_lists(q, p, i);
        if (q->length[i] == 1) { // nothing but p: eliminated with it, no fill
            q->unknowns[p] -= q->weight[i];
            q->left -= q->weight[i];
            join(q, p, i);
        }
    }
    q->weight[p] = 0;
    merge_same(q, p);
    settle(q, p);
}

vs_error vs_order_minimum_degree(const vs_graph *G, vs_arena *arena, int *order) {
    quotient q = {0};
    int unknowns = G->first ? G->first[G->vertices] : G->vertices, position = 0;
    if (!allocate(&q, G, unknowns, arena))
        return VS_ERROR_MEMORY;
    for (int i = 0; i < q.n; i++)
        q.size[i] = -1;
    load(&q, G, unknowns);
    while (q.left > 0) {
        int p = take_least(&q);
        eliminate(&q, p);
        for (int i = p; i >= 0; i = q.merged[i]) {
            order[position++] = i;
            q.mark[i] = -1;
        }
    }
    for (int i = 0; i < q.n; i++) // dense ones
        if (q.mark[i] != -1)
            order[position++] = i;
    return VS_OK;
}

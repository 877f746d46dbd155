// Pattern of H with flexible bodies: see elastic_matrix.h. It is made once per topology of the world; a step only sums
// values.
#include "step/elastic/elastic_matrix.h"

#include <stdlib.h>

#include "body/flexible_data.h"

void vs_elastic_matrix_release(vs_context *context, vs_elastic_matrix *H) {
    VS_ARRAY_RELEASE(context, &H->p);
    VS_ARRAY_RELEASE(context, &H->i);
    VS_ARRAY_RELEASE(context, &H->x);
    VS_ARRAY_RELEASE(context, &H->tile_p);
    VS_ARRAY_RELEASE(context, &H->tile_i);
    VS_ARRAY_RELEASE(context, &H->map_start);
    VS_ARRAY_RELEASE(context, &H->map);
    VS_ARRAY_RELEASE(context, &H->pair);
}

int vs_elastic_matrix_tile(const vs_world *world, const vs_blocks *blocks, int flexible, int j) {
    const vs_flexible *f = &world->flexible[flexible];
    int bodies = (int)blocks->body.count;
    int block = f->beam ? vs_blocks_of_body(blocks, (int)f->body[j / 2].index) : vs_blocks_of_node(blocks, flexible, j);
    if (block == VS_NO_BLOCK)
        return -1;
    return f->beam ? 2 * block + j % 2 : bodies + block; // 2 bodies + (block - bodies)
}

// ---- tiles -----------------------------------------------------------------------------------------

static vs_error push_pair(vs_elastic_matrix *H, vs_context *context, int column, int row) {
    vs_error error = VS_RESERVE(context, &H->pair, H->pair.count + 1);
    if (!error)
        H->pair.data[H->pair.count++] = (uint64_t)column << 32 | (uint64_t)row;
    return error;
}

// Tiles off the diagonal, of one flexible body.
static vs_error push_flexible(vs_elastic_matrix *H, const vs_world *world, const vs_blocks *blocks, int flexible) {
    vs_linear_pattern pattern = vs_assembly_pattern(world->flexible[flexible].assembly);
    vs_error error = VS_OK;
    for (int j = 0; 3 * j < pattern.n && !error; j++) {
        int column = vs_elastic_matrix_tile(world, blocks, flexible, j);
        // rows of column 3 j: 3 of the diagonal block, then whole blocks
        for (int64_t e = pattern.p[3 * j] + 3; e < pattern.p[3 * j + 1] && column >= 0 && !error; e += 3) {
            int row = vs_elastic_matrix_tile(world, blocks, flexible, pattern.i[e] / 3);
            if (row < 0)
                continue;
            error = push_pair(H, world->context, column, row);
            if (!error)
                error = push_pair(H, world->context, row, column);
        }
    }
    return error;
}

static vs_error gather_pairs(vs_elastic_matrix *H, const vs_world *world, const vs_blocks *blocks, int tiles) {
    vs_error error = VS_OK;
    H->pair.count = 0;
    for (int t = 0; t < tiles && !error; t++)
        error = push_pair(H, world->context, t, t);
    for (int k = 0; k < world->flexibles && !error; k++)
        if (world->flexible[k].alive)
            error = push_flexible(H, world, blocks, k);
    return error;
}

static int compare(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// Sorts the pairs and drops duplicates; returns how many are left.
static int64_t sort_pairs(vs_elastic_matrix *H) {
    uint64_t *pair = H->pair.data;
    qsort(pair, (size_t)H->pair.count, sizeof *pair, compare);
    int64_t count = 0;
    for (int64_t k = 0; k < H->pair.count; k++)
        if (k == 0 || pair[k] != pair[k - 1])
            pair[count++] = pair[k];
    return count;
}

static vs_error make_tiles(vs_elastic_matrix *H, vs_context *context, int tiles) {
    int64_t count = sort_pairs(H), at = 0;
    vs_error error = VS_RESERVE(context, &H->tile_p, tiles + 1);
    if (!error)
        error = VS_RESERVE(context, &H->tile_i, count);
    if (!error)
        error = VS_RESERVE(context, &H->p, 3 * (int64_t)tiles + 1);
    if (!error)
        error = VS_RESERVE(context, &H->i, 9 * count);
    if (!error)
        error = VS_RESERVE(context, &H->x, 9 * count);
    if (error)
        return error;
    const uint64_t *pair = H->pair.data;
    int64_t *tile_p = H->tile_p.data, *p = H->p.data;
    int *tile_i = H->tile_i.data, *i = H->i.data;
    for (int64_t k = 0; k < count; k++)
        tile_i[k] = (int)(pair[k] & UINT32_MAX);
    for (int t = 0, k = 0; t < tiles; t++) {
        tile_p[t] = k;
        while (k < count && (int)(pair[k] >> 32) == t)
            k++;
        tile_p[t + 1] = k;
        for (int column = 0; column < 3; column++) {
            p[3 * t + column] = at;
            for (int64_t e = tile_p[t]; e < k; e++)
                for (int row = 0; row < 3; row++)
                    i[at++] = 3 * tile_i[e] + row;
        }
    }
    p[3 * tiles] = at;
    H->x.count = at;
    return VS_OK;
}

// ---- places ----------------------------------------------------------------------------------------

int64_t vs_elastic_matrix_place(const vs_elastic_matrix *H, int row, int r, int column, int k) {
    const int64_t *p = H->tile_p.data;
    int64_t low = p[column], high = p[column + 1];
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (H->tile_i.data[middle] <= row)
            low = middle;
        else
            high = middle;
    }
    return 9 * p[column] + 3 * k * (p[column + 1] - p[column]) + 3 * (low - p[column]) + r;
}

static void map_flexible(vs_elastic_matrix *H, const vs_world *world, const vs_blocks *blocks, int flexible) {
    vs_linear_pattern pattern = vs_assembly_pattern(world->flexible[flexible].assembly);
    int64_t *map = H->map.data + H->map_start.data[flexible];
    for (int j = 0; j < pattern.n; j++)
        for (int64_t e = pattern.p[j]; e < pattern.p[j + 1]; e++) {
            int i = pattern.i[e], row = vs_elastic_matrix_tile(world, blocks, flexible, i / 3);
            int column = vs_elastic_matrix_tile(world, blocks, flexible, j / 3);
            bool exists = row >= 0 && column >= 0;
            map[2 * e] = exists ? vs_elastic_matrix_place(H, row, i % 3, column, j % 3) : -1;
            map[2 * e + 1] = exists && i != j ? vs_elastic_matrix_place(H, column, j % 3, row, i % 3) : -1;
        }
}

static vs_error make_map(vs_elastic_matrix *H, const vs_world *world, const vs_blocks *blocks) {
    vs_error error = VS_RESERVE(world->context, &H->map_start, world->flexibles + 1);
    if (error)
        return error;
    int64_t *start = H->map_start.data, total = 0;
    for (int k = 0; k < world->flexibles; k++) {
        start[k] = total;
        total += world->flexible[k].alive ? 2 * world->flexible[k].nonzeros : 0;
    }
    start[world->flexibles] = total;
    error = VS_RESERVE(world->context, &H->map, total);
    for (int k = 0; k < world->flexibles && !error; k++)
        if (world->flexible[k].alive)
            map_flexible(H, world, blocks, k);
    return error;
}

vs_error vs_elastic_matrix_prepare(vs_elastic_matrix *H, const vs_world *world, const vs_blocks *blocks) {
    if (H->x.count > 0 && H->topology == world->topology)
        return VS_OK;
    int tiles = vs_blocks_size(blocks) / 3;
    vs_error error = gather_pairs(H, world, blocks, tiles);
    if (!error)
        error = make_tiles(H, world->context, tiles);
    if (!error)
        error = make_map(H, world, blocks);
    H->topology = world->topology;
    if (error)
        H->x.count = 0;
    return error;
}

double vs_elastic_matrix_form(const vs_elastic_matrix *H, int n, const double *a, const double *b) {
    const int64_t *p = H->p.data;
    double sum = 0;
    for (int j = 0; j < n; j++)
        for (int64_t e = p[j]; e < p[j + 1]; e++)
            sum += a[H->i.data[e]] * H->x.data[e] * b[j];
    return sum;
}

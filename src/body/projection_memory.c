// The solver of the projection onto the joints, from one projection to the next.
#include "body/projection_memory.h"

#include <string.h>

#include "base/arena.h"

// The pattern of the last matrix, and the solver that was prepared for it: it changes with the joints that are violated, which
// in a mechanism in motion are all of them in every step.
struct vs_projection_memory {
    vs_arena arena;
    vs_linear_pattern pattern; // arrays in the arena
    vs_linear_solver *solver;
};

void vs_projection_memory_release(vs_world *world) {
    struct vs_projection_memory *memory = world->projection;
    if (!memory)
        return;
    vs_linear_solver_destroy(memory->solver);
    vs_arena_release(&memory->arena);
    vs_release(world->context, memory);
    world->projection = NULL;
}

static bool is_same(const vs_linear_pattern *a, const vs_linear_pattern *b) {
    return a->n == b->n && a->groups == b->groups &&
           memcmp(a->group, b->group, sizeof *a->group * ((size_t)a->groups + 1)) == 0 &&
           memcmp(a->p, b->p, sizeof *a->p * ((size_t)a->n + 1)) == 0 &&
           memcmp(a->i, b->i, sizeof *a->i * (size_t)a->p[a->n]) == 0;
}

static vs_error copy_pattern(vs_arena *arena, const vs_linear_pattern *from, vs_linear_pattern *to) {
    int64_t *p = VS_NEW(arena, int64_t, from->n + 1);
    int *i = VS_NEW(arena, int, from->p[from->n]), *group = VS_NEW(arena, int, from->groups + 1);
    if (!p || !i || !group)
        return VS_ERROR_MEMORY;
    memcpy(p, from->p, sizeof *p * ((size_t)from->n + 1));
    memcpy(i, from->i, sizeof *i * (size_t)from->p[from->n]);
    memcpy(group, from->group, sizeof *group * ((size_t)from->groups + 1));
    *to = *from;
    to->p = p, to->i = i, to->group = group;
    return VS_OK;
}

vs_error vs_projection_memory_prepare(vs_world *world, const vs_linear_pattern *pattern, vs_linear_solver **solver) {
    if (world->projection && is_same(pattern, &world->projection->pattern)) {
        *solver = world->projection->solver;
        return VS_OK;
    }
    vs_projection_memory_release(world);
    struct vs_projection_memory *memory = vs_allocate(world->context, sizeof *memory);
    if (!memory)
        return vs_fail_memory(world->context);
    *memory = (struct vs_projection_memory){.solver = NULL};
    vs_arena_init(&memory->arena, world->context);
    world->projection = memory;
    vs_error error = copy_pattern(&memory->arena, pattern, &memory->pattern);
    if (!error)
        error = vs_linear_solver_create(world->context, vs_linear_backend_find("ldl"), pattern, &memory->solver);
    *solver = memory->solver;
    if (error)
        vs_projection_memory_release(world);
    return error;
}

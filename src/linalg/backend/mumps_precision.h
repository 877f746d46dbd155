// MUMPS in one precision; included by mumps.c once for each, with these defined (and undefined at the end):
// REAL (float or double), SINGLE (is it float?), INSTANCE (MUMPS' structure), ENTRY (its entry point),
// IN_PRECISION(name) (a name of this copy). No include guard, on purpose.

typedef struct IN_PRECISION(state) {
    vs_arena arena;
    INSTANCE id;
    bool started;     // JOB_INIT done: JOB_END is due
    MUMPS_INT *i, *j; // (nonzeros) rows and columns, from 1
    REAL *values;     // (nonzeros) converted; null in double precision, where the caller's are used in place
    REAL *rhs;        // (n) likewise
} IN_PRECISION(state);

static int IN_PRECISION(run)(IN_PRECISION(state) * s, int job) {
    s->id.job = job;
    pthread_mutex_lock(&mumps_lock);
    unsigned before = SINGLE ? flush_subnormals() : 0;
    ENTRY(&s->id);
    if (SINGLE)
        restore_subnormals(before);
    pthread_mutex_unlock(&mumps_lock);
    return s->id.infog[0];
}

// Converts where the precisions differ; false if a value does not fit into REAL.
static bool IN_PRECISION(convert)(int64_t count, const double *from, REAL *to) {
    const double largest = SINGLE ? (double)FLT_MAX : DBL_MAX;
    int bad = 0;
    for (int64_t k = 0; k < count; ++k) {
        bad |= !(fabs(from[k]) <= largest);
        to[k] = (REAL)from[k];
    }
    return !bad;
}

static vs_error IN_PRECISION(allocate)(IN_PRECISION(state) * s, const vs_linear_pattern *A) {
    int64_t nonzeros = A->p[A->n];
    s->i = VS_NEW(&s->arena, MUMPS_INT, nonzeros);
    s->j = VS_NEW(&s->arena, MUMPS_INT, nonzeros);
    if (!s->i || !s->j)
        return VS_ERROR_MEMORY;
    if (SINGLE) {
        s->values = VS_NEW(&s->arena, REAL, nonzeros);
        s->rhs = VS_NEW(&s->arena, REAL, A->n);
        if (!s->values || !s->rhs)
            return VS_ERROR_MEMORY;
    }
    for (int j = 0; j < A->n; ++j) {
        for (int64_t k = A->p[j]; k < A->p[j + 1]; ++k) {
            s->i[k] = A->i[k] + 1;
            s->j[k] = j + 1;
        }
    }
    return VS_OK;
}

static vs_error IN_PRECISION(analyse)(vs_linear_solver *solver, const vs_linear_pattern *A) {
    IN_PRECISION(state) *s = solver->state;
    INSTANCE *id = &s->id;
    int *permutation = VS_NEW(&s->arena, int, A->n);
    MUMPS_INT *position = VS_NEW(&s->arena, MUMPS_INT, A->n);
    if (!permutation || !position)
        return VS_ERROR_MEMORY;
    vs_error error = vs_ordering(solver->context, A, permutation);
    if (error)
        return error;
    for (int k = 0; k < A->n; ++k)
        position[permutation[k]] = k + 1;

    id->n = A->n;
    id->nnz = A->p[A->n];
    id->irn = s->i;
    id->jcn = s->j;
    id->perm_in = position;
    if (IN_PRECISION(run)(s, JOB_ANALYSE) < 0)
        return fail_backend(solver, id->infog[0], id->infog[1]);
    solver->report.fill = entries(id->infog[19]);
    solver->report.flops = (double)id->rinfog[0];
    solver->report.bytes = solver->report.fill * (int64_t)sizeof(REAL);
    return VS_OK;
}

static vs_error IN_PRECISION(create)(vs_linear_solver *solver, const vs_linear_pattern *A) {
    IN_PRECISION(state) *s = vs_allocate(solver->context, sizeof *s);
    if (!s)
        return vs_fail_memory(solver->context);
    memset(s, 0, sizeof *s);
    solver->state = s;
    vs_arena_init(&s->arena, solver->context);
    vs_blas_single_thread();
    vs_error error = IN_PRECISION(allocate)(s, A);
    if (error)
        return error;

    s->id.par = 1;
    s->id.sym = !A->symmetric ? UNSYMMETRIC : A->definite ? DEFINITE : INDEFINITE;
    s->id.comm_fortran = WORLD;
    if (IN_PRECISION(run)(s, JOB_INIT) < 0)
        return fail_backend(solver, s->id.infog[0], s->id.infog[1]);
    s->started = true;
    configure(s->id.icntl);
    s->id.cntl[0] = A->symmetric ? (REAL)0 : (REAL)0.01; // threshold of pivoting
    return IN_PRECISION(analyse)(solver, A);
}

static vs_error IN_PRECISION(factor)(vs_linear_solver *solver, const double *x) {
    IN_PRECISION(state) *s = solver->state;
    INSTANCE *id = &s->id;
    if (s->values && !IN_PRECISION(convert)(solver->nonzeros, x, s->values))
        return vs_fail(solver->context, VS_ERROR_NUMERICAL, "MUMPS: a value is too large for single precision");
    id->a = s->values ? s->values : (REAL *)(void *)x; // MUMPS only reads

    // Pivoting delays eliminations and may need more memory than the analysis estimated.
    int info = IN_PRECISION(run)(s, JOB_FACTOR);
    for (int k = 1; k < ATTEMPTS && (info == -8 || info == -9 || info == -14 || info == -15); ++k) {
        id->icntl[13] *= 2;
        info = IN_PRECISION(run)(s, JOB_FACTOR);
    }
    id->a = NULL;
    if (info < 0)
        return fail_backend(solver, info, id->infog[1]);

    vs_linear_report *report = &solver->report;
    if (id->sym != UNSYMMETRIC) {
        report->negative = id->infog[11];
        report->positive = solver->n - report->negative;
        if (solver->definite && report->negative > 0)
            return vs_fail(solver->context, VS_ERROR_NUMERICAL, "MUMPS: not positive definite (%d negative pivots)",
                           report->negative);
    }
    report->sign_det = (id->rinfog[11] > 0) - (id->rinfog[11] < 0);
    report->perturbed = id->infog[24];
    report->fill = entries(id->infog[28]);
    report->bytes = report->fill * (int64_t)sizeof(REAL);
    return VS_OK;
}

static vs_error IN_PRECISION(solve)(vs_linear_solver *solver, double *x) {
    IN_PRECISION(state) *s = solver->state;
    if (s->rhs && !IN_PRECISION(convert)(solver->n, x, s->rhs))
        return vs_fail(solver->context, VS_ERROR_NUMERICAL, "MUMPS: right-hand side too large for single precision");
    s->id.rhs = s->rhs ? s->rhs : (REAL *)(void *)x;
    s->id.nrhs = 1;
    s->id.lrhs = solver->n;
    int info = IN_PRECISION(run)(s, JOB_SOLVE);
    s->id.rhs = NULL;
    if (info < 0)
        return fail_backend(solver, info, s->id.infog[1]);
    for (int k = 0; s->rhs && k < solver->n; ++k)
        x[k] = (double)s->rhs[k];
    return VS_OK;
}

#if !SINGLE
static vs_error IN_PRECISION(solve_many)(vs_linear_solver *solver, int count, double *x) {
    IN_PRECISION(state) *s = solver->state;
    s->id.rhs = x;
    s->id.nrhs = count;
    s->id.lrhs = solver->n;
    s->id.icntl[26] = count; // all at once: the caller passes them in blocks
    int info = IN_PRECISION(run)(s, JOB_SOLVE);
    s->id.icntl[26] = 1;
    s->id.rhs = NULL;
    return info < 0 ? fail_backend(solver, info, s->id.infog[1]) : VS_OK;
}
#endif

static void IN_PRECISION(destroy)(vs_linear_solver *solver) {
    IN_PRECISION(state) *s = solver->state;
    if (!s)
        return;
    if (s->started)
        IN_PRECISION(run)(s, JOB_END);
    vs_arena_release(&s->arena);
    vs_release(solver->context, s);
}

#undef REAL
#undef SINGLE
#undef INSTANCE
#undef ENTRY
#undef IN_PRECISION

// The methods of this library, and which of them an option means.
#include "solver/method.h"

#include <stddef.h>

// In the order of vs_method; auto has no class of its own.
static const vs_method_class *const methods[VS_METHOD_LEMKE + 1] = {
    [VS_METHOD_IPM] = &vs_ipm_class,
    [VS_METHOD_CHAIN] = &vs_chain_class,
    [VS_METHOD_GAUSS_SEIDEL] = &vs_gauss_seidel_class,
    [VS_METHOD_JACOBI] = &vs_jacobi_class,
    [VS_METHOD_APGD] = &vs_apgd_class,
    [VS_METHOD_SPG] = &vs_spg_class,
    [VS_METHOD_ADMM] = &vs_admm_class,
    [VS_METHOD_BARRIER] = &vs_barrier_class,
    [VS_METHOD_PIVOTING] = &vs_pivoting_class,
    [VS_METHOD_LEMKE] = &vs_lemke_class,
};
enum { METHODS = sizeof methods / sizeof methods[0] };

vs_error vs_method_find(const vs_solver_options *options, vs_context *context, const vs_method_class **method) {
    unsigned asked = 1U << options->model;
    vs_method name = options->method;
    if (name == VS_METHOD_AUTO)
        name = options->model == VS_MODEL_EXACT ? VS_METHOD_CHAIN : VS_METHOD_IPM;
    *method = methods[name];
    if ((*method)->models & asked)
        return VS_OK;
    if (options->model == VS_MODEL_EXACT && (*method)->models & VS_SOLVES_RELAXED) {
        *method = &vs_fixed_point_class; // finds the method again, for the relaxed model
        return VS_OK;
    }
    return vs_fail(context, VS_ERROR_UNSUPPORTED, "method: %s does not solve the %s model; use auto", (*method)->name,
                   vs_model_name(options->model));
}

bool vs_solver_method(int index, vs_method_info *info) {
    if (index < 0 || index >= METHODS || !info)
        return false;
    const vs_method_class *method = methods[index];
    *info = method ? (vs_method_info){method->name, method->purpose, method->models}
                   : (vs_method_info){"auto", "chosen by model, size and tolerance", VS_SOLVES_ALL};
    return true;
}

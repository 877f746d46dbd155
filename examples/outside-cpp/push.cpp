// A point mass on a plane, pushed sideways with increasing force, from C++: objects are owned by unique_ptr, errors
// become exceptions. It sticks until the push reaches mu times its weight; beyond that, friction is constant.
#include <array>
#include <cmath>
#include <iostream>
#include <memory>
#include <stdexcept>

#include <voussoir/voussoir.h>

namespace {

template <auto destroy> struct Destroy {
    template <typename T> void operator()(T *object) const { destroy(object); }
};
using Context = std::unique_ptr<vs_context, Destroy<vs_context_destroy>>;
using Problem = std::unique_ptr<vs_problem, Destroy<vs_problem_destroy>>;
using Solver = std::unique_ptr<vs_solver, Destroy<vs_solver_destroy>>;

// The context keeps the error message.
void check(vs_error error, const vs_context *context) {
    if (error != VS_OK)
        throw std::runtime_error(context ? vs_context_get_error_text(context) : vs_error_name(error));
}

Context make_context() {
    vs_context *made = nullptr;
    check(vs_context_create(nullptr, &made), nullptr);
    return Context(made);
}

constexpr double mass = 2, mu = 0.5, weight = mass * 9.81, step = 1.0 / 240; // kg, 1, N, s

// Minimise 1/2 v'H v + c'v with the mass as H and the negative impulses of weight and push as c; rows n, u, w.
Problem make_problem(vs_context *context, double push) {
    const std::array<double, 9> H{mass, 0, 0, 0, mass, 0, 0, 0, mass};
    const std::array<double, 3> c{-step * push, 0, step * weight};
    const std::array<double, 9> D{0, 0, 1, 1, 0, 0, 0, 1, 0};
    const double *jacobian = D.data();
    vs_problem_builder *builder = nullptr;
    int block = 0;
    check(vs_problem_builder_create(context, &builder), context);
    check(vs_problem_builder_add_block(builder, 3, H.data(), c.data(), &block), context);
    vs_problem_contact_def contact = vs_problem_contact_def_default();
    contact.blocks = 1;
    contact.block = &block;
    contact.jacobian = &jacobian;
    contact.mu = mu;
    check(vs_problem_builder_add_contact(builder, &contact, nullptr), context);
    vs_problem *made = nullptr;
    check(vs_problem_builder_finish(builder, &made), context);
    return Problem(made);
}

// The friction force, N
double friction(vs_context *context, double push) {
    const Problem problem = make_problem(context, push);
    vs_solver *made = nullptr;
    check(vs_solver_create(problem.get(), nullptr, &made), context);
    const Solver solver(made);
    vs_result result;
    check(vs_solver_solve(solver.get(), &result), context);
    if (result.status != VS_STATUS_CONVERGED)
        throw std::runtime_error(result.status_text);
    return std::hypot(result.lambda[1], result.lambda[2]) / step;
}

} // namespace

int main() {
    try {
        const Context context = make_context();
        std::cout << "voussoir " << vs_version() << '\n';
        for (const double part : {0.2, 0.4, 0.6, 0.8}) {
            const double found = friction(context.get(), part * weight), wanted = std::fmin(part, mu) * weight;
            std::cout << "push " << part << " of the weight: friction " << found << " N\n";
            // The relative tolerance is 1e-8 in energy, its square root in forces.
            if (std::fabs(found - wanted) > 1e-4 * weight)
                return 1;
        }
    } catch (const std::exception &error) {
        std::cerr << "push: " << error.what() << '\n';
        return 2;
    }
    return 0;
}

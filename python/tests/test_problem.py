"""Problems and solvers against closed forms; every way of building; errors."""

from __future__ import annotations

from typing import Any, List

import numpy as np
import pytest
import scipy.sparse as sp
from conftest import box_on_plane, contact_rows, pile, random_matrices, random_problem

import voussoir
from voussoir._core import text
from voussoir._library import ffi, lib

WEIGHT = 9.81 / 240


@pytest.mark.parametrize("push, slides", [(0.2, False), (0.49, False), (0.8, True)])
def test_box_sticks_below_the_friction_limit_and_slides_above(push: float, slides: bool) -> None:
    H, D, c = box_on_plane(push)
    result = voussoir.Problem(H, D, c=c, mu=0.5).solve(tolerance=1e-10).check()
    sums = result.lambda_.reshape(4, 3).sum(axis=0) / WEIGHT
    friction = -min(push, 0.5)
    # 1e-8: tolerance 1e-10 of an energy of the size of e0, whose root is a velocity
    assert np.allclose(sums, [1, friction, 0], atol=1e-8)
    assert np.isclose(result.v[0], (push + friction) * WEIGHT, atol=1e-8 * WEIGHT)
    assert (abs(result.v[0]) > 0.1 * WEIGHT) == slides


def test_every_way_of_building_gives_the_same_bits() -> None:
    H, D, c = box_on_plane()
    builder = voussoir.Builder()
    block = builder.add_block(H, c)
    for k in range(4):
        builder.add_contact({block: D[3 * k : 3 * k + 3]}, mu=0.5)
    unsorted = sp.coo_matrix(D)
    order = np.random.default_rng(0).permutation(unsorted.nnz)
    messy = sp.coo_matrix((unsorted.data[order], (unsorted.row[order], unsorted.col[order])), D.shape)
    problems = [
        voussoir.Problem(H, D, c=c, mu=0.5),
        voussoir.Problem(H.tolist(), D.tolist(), c=c.tolist(), mu=[0.5] * 4),
        voussoir.Problem(sp.csc_matrix(H), sp.csr_matrix(D), c=c, mu=0.5),
        voussoir.Problem(sp.coo_matrix(H), messy, c=c, mu=np.full(4, 0.5)),
        voussoir.Problem(sp.csr_matrix(H), sp.csc_matrix(D), c=c, mu=0.5),
    ]
    results = [problem.solve().lambda_ for problem in problems]
    for other in results[1:]:
        assert np.array_equal(results[0], other)
    # blocks keep their zeros, which changes the order of sums
    for problem in (voussoir.Problem([H], D, c=c, mu=0.5), voussoir.Problem(H[None], D, c=c, mu=0.5), builder.finish()):
        assert problem.info.blocks >= 1
        assert np.allclose(problem.solve().lambda_, results[0], atol=1e-9 * WEIGHT)


def test_joints_hold_and_bounds_bind() -> None:
    builder = voussoir.Builder()
    a = builder.add_block(np.eye(1), [-1.0])  # pushed with 1 N s
    b = builder.add_block(3 * np.eye(1), [0.0])
    builder.add_joint({a: [[1]], b: [[-1]]})
    builder.add_bounds({b: [[1]]}, lo=-0.2, hi=0.2)  # friction of at most 0.2 N s
    problem = builder.finish()
    result = problem.solve().check()
    # together 4 kg and 1 - 0.2 N s; b gets 3 kg 0.2 m/s + 0.2 N s through the joint
    assert np.allclose(result.v, 0.2) and np.allclose(result.lambda_, -0.2) and np.allclose(result.g, -0.8)
    assert problem.lo is not None and problem.lo[0] == -0.2 and problem.info.joints == 1


def test_joint_matrix_of_the_global_form() -> None:
    problem = voussoir.Problem(np.eye(6), np.eye(3, 6), c=[1, 0, 0, 0, 0, 2], mu=0.3, C=np.eye(6)[5:], b_e=[0.5])
    result = problem.solve().check()
    assert np.allclose(result.v[5], 0.5) and np.allclose(result.g, 2.5)


def test_local_form_agrees_with_the_global_one() -> None:
    H, D, c, b, mu = random_matrices(3)
    inverse = np.linalg.inv(H)
    r = -D @ inverse @ c - b
    local = voussoir.Problem.local(D @ inverse @ D.T, r, mu=mu).solve(model="relaxed", tolerance=1e-10).check()
    whole = voussoir.Problem(H, D, c=c, b=b, mu=mu).solve(model="relaxed", tolerance=1e-10).check()
    assert local.v.size == 0
    # y is unique where impulses need not be
    assert np.allclose(local.y, whole.y, atol=1e-7)


@pytest.mark.parametrize("model", ["exact", "relaxed", "frictionless"])
def test_measures_of_the_result_are_those_of_the_impulses(model: str) -> None:
    problem = random_problem(5)
    result = problem.solve(model=model)
    measures, v, y = problem.measure(result.lambda_, result.g, model=model)
    assert measures == pytest.approx(result.measures, nan_ok=True) and result.measures.relative <= 1e-8
    assert np.array_equal(v, result.v) and np.array_equal(y, result.y)
    assert result.model == model


def test_compliance_is_a_spring() -> None:
    # y = l + E l - 1 = 0: l = 1 / (1 + E)
    problem = voussoir.Problem(np.eye(3), np.eye(3), c=[1, 0, 0], mu=0.5, E=[3, 0, 0])
    assert problem.info.compliant and np.isclose(problem.solve().lambda_[0], 0.25, atol=1e-8)


def test_every_method_that_can_solves_the_box() -> None:
    H, D, c = box_on_plane()
    problem = voussoir.Problem(H, D, c=c, mu=0.5)
    for method in voussoir.methods():
        model = {"pivoting": "frictionless", "lemke": "frictionless", "cascade": "exact"}.get(method.name, "relaxed")
        result = problem.solve(model=model, method=method.name, tolerance=1e-6)
        assert result.converged, (method.name, result.status_text)
        assert method.name == "auto" or result.method == method.name


def test_progress_names_the_stage() -> None:
    stages: List[str] = []
    pile().solve(model="exact", progress=lambda line: stages.append(line.stage))
    assert "gauss-seidel" in stages


def test_history_and_stages_tell_the_way() -> None:
    problem = pile()
    result = problem.solve(model="relaxed")
    history = result.history
    assert len(history) == result.iterations + 1 and list(history["iteration"]) == list(range(len(history)))
    assert history["energy_error"][-1] < history["energy_error"][0] and (np.diff(history["seconds"]) >= 0).all()
    exact = problem.solve(model="exact")
    assert exact.stages and exact.stages[-1].solved == exact.stages[-1].tried and exact.islands >= 1


def test_warm_start_from_the_solution_costs_nothing() -> None:
    problem = pile()
    cold = problem.solve(model="relaxed", tolerance=1e-6)
    assert cold.iterations > 3
    for start in (cold, voussoir.Solution(cold.v, cold.g, cold.lambda_), cold.lambda_, cold.lambda_.tolist()):
        assert problem.solve(model="relaxed", tolerance=1e-6, initial=start).iterations <= 1


def test_solver_is_used_again_and_earlier_results_stay() -> None:
    H, D, c = box_on_plane()
    problem = voussoir.Problem(H, D, c=c, mu=0.5)
    solver = problem.solver(model="exact")
    first = solver.solve()
    kept = first.lambda_.copy()
    solver.update(c=2 * c)
    second = solver.solve()
    solver.update(problem)
    third = solver.solve()
    assert np.array_equal(first.lambda_, kept) and np.array_equal(third.lambda_, kept)
    assert np.allclose(second.lambda_.reshape(4, 3).sum(axis=0), 2 * kept.reshape(4, 3).sum(axis=0))
    assert first.status_text == third.status_text and len(first.history) == len(third.history)
    with pytest.raises(voussoir.DataError):
        solver.update(random_problem(1))
    assert solver.solve().converged  # as it was


def test_change_leaves_out_contacts() -> None:
    H, D, c = box_on_plane()
    problem = voussoir.Problem(H, D, c=c, mu=0.5)
    fewer = problem.change(keep=[True, True, True, False])
    assert fewer.contacts == 3 and problem.contacts == 4 and list(fewer.contact_rows) == [0, 3, 6, 9]
    assert fewer.solve().converged


def test_progress_is_called_and_can_stop() -> None:
    problem = pile()
    seen = []
    result = problem.solve(model="relaxed", progress=lambda line: seen.append(line))  # type: ignore[func-returns-value]
    assert [line.iteration for line in seen] == list(range(result.iterations + 1))
    stopped = problem.solve(model="relaxed", progress=lambda line: line.iteration < 2)
    assert stopped.status == "stopped" and not stopped.converged
    with pytest.raises(voussoir.NotConverged) as caught:
        stopped.check()
    assert caught.value.result is stopped


@pytest.mark.parametrize("kind", [RuntimeError, KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("model", ["exact", "relaxed"])
def test_exceptions_of_progress_propagate(kind: type, model: str) -> None:
    def fail(line: voussoir.Iteration) -> None:
        raise kind("from inside")

    problem = pile()
    with pytest.raises(kind, match="from inside"):
        problem.solve(model=model, progress=fail)
    assert problem.solve(model=model).converged  # nothing is left over


def test_options_are_checked_by_name_and_value() -> None:
    problem = random_problem(1)
    cases = [
        ({"tolerence": 1}, "did you mean 'tolerance'"),
        ({"model": "exakt"}, "did you mean 'exact'"),
        ({"tolerance": -1.0}, "tolerance: must be positive"),
        ({"tol": 1e-6}, "no option 'tol'; did you mean 'tolerance'"),
        ({"solver": "ipm"}, "no option 'solver'; did you mean 'method'"),
        ({"warm_start": np.zeros(12)}, "warm_start: must be one of full, partial, none; is of type ndarray"),
        ({"linear_solver": "nothing"}, "nothing"),
        ({"correctors": 11}, "correctors"),
        ({"progress_user": 1}, "no option 'progress_user'"),
        ({"size": 1}, "no option 'size'"),
    ]
    for options, words in cases:
        with pytest.raises(voussoir.Error, match=words):
            problem.solve(**options)
    with pytest.raises(TypeError):
        problem.solve(max_iterations="many")
    assert problem.solve(method="gauss_seidel", sweep="symmetric", max_iterations=3).iterations <= 3


def test_errors_are_exceptions_with_the_text_of_the_library() -> None:
    H, D, c = box_on_plane()
    cases = [
        (lambda: voussoir.Problem(-H, D, c=c, mu=0.5), voussoir.DataError, "H"),
        (lambda: voussoir.Problem(H, D, c=c, mu=-1), voussoir.DataError, "mu"),
        (lambda: voussoir.Problem(H, D, c=c * np.nan, mu=1), voussoir.DataError, "c"),
        (lambda: voussoir.Problem(H, D[:4], c=c, mu=1), voussoir.ArgumentError, "D: has 4 rows"),
        (lambda: voussoir.Problem(H, D, c=c[:5], mu=1), voussoir.ArgumentError, "c: has 5 entries, must have 6"),
        (lambda: voussoir.Problem(H[:5, :5], D, c=c[:5], mu=1), voussoir.DataError, ""),
        (lambda: voussoir.load_fclib("/nowhere/at.hdf5"), voussoir.FileError, "at.hdf5"),
        (lambda: voussoir.Problem(H, D, c=c, mu=1, threads=0), voussoir.ArgumentError, "threads"),
    ]
    for call, kind, words in cases:
        with pytest.raises(kind, match=words):
            call()
    assert issubclass(voussoir.DataError, ValueError) and issubclass(voussoir.FileError, OSError)


def test_a_used_builder_says_so() -> None:
    builder = voussoir.Builder()
    block = builder.add_block(np.eye(6), np.zeros(6))
    with pytest.raises(voussoir.ArgumentError, match="no block 1"):
        builder.add_contact({1: contact_rows(np.zeros(3))})
    with pytest.raises(voussoir.ArgumentError, match="must have \\(3, 6\\)"):
        builder.add_contact({block: np.eye(3)})
    builder.finish()
    with pytest.raises(voussoir.ArgumentError, match="finished"):
        builder.add_block(np.eye(6), np.zeros(6))


@pytest.mark.parametrize(
    "kind, c_type",
    [
        (voussoir.Measures, "vs_measures"),
        (voussoir.Times, "vs_times"),
        (voussoir.Stage, "vs_stage"),
        (voussoir.Iteration, "vs_iteration"),
        (voussoir.ProblemInfo, "vs_problem_info"),
        (voussoir.StepReport, "vs_step_report"),
        (voussoir.Energy, "vs_energy"),
        (voussoir.EnergyFlow, "vs_energy_flow"),
    ],
)
def test_classes_have_the_fields_of_the_headers(kind: Any, c_type: str) -> None:
    assert list(kind._fields) == [name for name, _ in ffi.typeof(c_type).fields]


def test_reports_have_the_fields_of_their_table() -> None:
    names = [text(lib.vs_report_field_at(k).name).split(".")[0] for k in range(lib.vs_report_field_count())]
    assert set(names) == set(voussoir.StepReport._fields)
    assert "friction: dissipated by friction" in str(voussoir.EnergyFlow.__doc__)


def test_result_has_the_fields_of_the_header() -> None:
    renamed = {"lambda": "lambda_", "positive": "inertia", "negative": "inertia"}
    for name, _ in ffi.typeof("vs_result").fields:
        if not name.endswith("_count"):
            assert hasattr(voussoir.Result, renamed.get(name, name)), name


def test_representations_say_what_matters() -> None:
    result = pile().solve(max_iterations=0, model="relaxed")
    assert "iteration_limit" in repr(result) and "energy error" in repr(result) and "<table>" in result._repr_html_()
    assert "30 contacts" not in repr(random_problem(1)) and "8 contacts" in repr(random_problem(1))


def test_plot_of_convergence(monkeypatch: pytest.MonkeyPatch) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    axes = pile().solve(model="relaxed").plot_convergence()
    assert axes.get_yscale() == "log" and len(axes.lines) == 2 and len(axes.lines[0].get_xdata()) > 3
    assert pile().solve(model="relaxed").plot_convergence(axes, over="seconds") is axes

"""Generalized coordinates of a world: positions, velocities, mass matrix, Jacobians, forces, as arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, NamedTuple, Optional, Tuple, Union

import numpy as np
import numpy.typing as npt

from ._core import NULL, FloatArray, doubles, ffi, lib, pointer_to, vec3
from .body import Body, Joint, vector
from .query import read_body
from .shapes import Vector

if TYPE_CHECKING:
    from .world import World

__all__ = ["Node", "Tree"]


class Node(NamedTuple):
    """A body of a `Tree`, with the places of its numbers: `qpos[node.qpos]`, `qvel[node.qvel]`."""

    body: Body
    parent: Optional[Body]  # None: the world, also of free bodies
    joint: Optional[Joint]  # to the parent; None: free
    qpos: slice
    qvel: slice


class Tree:
    """Dynamic bodies as a tree of joints, and what follows from it: `World.tree()` makes one.

    The bodies come in their order in the world, which is that of URDF and MJCF files, but a parent before its children. A body
    has in `qpos` and `qvel`, by the joint to its parent:

        none (free)    position of the centre of mass and quaternion (7); its velocity in world axes, spin in body axes (6)
        revolute       angle (1, 1)
        prismatic      displacement (1, 1)
        cylindrical    displacement, angle (2, 2)
        universal      two angles (2, 2)
        planar         x, y, angle (3, 3)
        spherical      quaternion (4); angular velocity in the axes of b's frame (3)
        fixed          nothing

    Joints that close a loop, gears and distance joints are constraints between these numbers: `closures()`. The motion obeys
    M qacc + bias = passive + forces of motors, closures, contacts, limits and dry friction.

    >>> import numpy as np, voussoir
    >>> world = voussoir.World()
    >>> arm = world.add_body(voussoir.Box([0.4, 0.1, 0.1]), mass=3, position=[0.2, 0, 0])
    >>> hinge = world.add_joint("revolute", None, arm, position=[0, 0, 0], axis=[0, -1, 0])
    >>> tree = world.tree()
    >>> tree.qpos = [np.pi / 2]                    # upright
    >>> arm.position.round(9).tolist()
    [0.0, 0.0, 0.2]
    >>> tree.qpos = [0]
    >>> tree.bias().round(9).tolist()              # the torque that holds it, 3 kg * 9.81 m/s^2 * 0.2 m
    [5.886]
    >>> tree.mass_matrix().round(9).tolist()       # about the hinge
    [[0.1625]]
    >>> linear, angular = tree.jacobian(arm, [0.4, 0, 0])
    >>> linear.round(9).ravel().tolist()           # its end moves up
    [0.0, 0.0, 0.4]
    """

    def __init__(self, world: "World") -> None:
        self.world = world
        made = world._context.make(lib.VS_PY_TREE, "vs_tree", world._handle, lib.vs_tree_create, world._pointer)
        self._pointer, self._handle = made

    def _call(self, function: Any, *arguments: Any) -> None:
        self.world._call(function, self._pointer, *arguments)

    def _sizes(self) -> Tuple[int, int]:
        """nq, nv of the present bodies and joints; the lock is held."""
        self._call(lib.vs_tree_update)
        return lib.vs_tree_get_position_count(self._pointer), lib.vs_tree_get_velocity_count(self._pointer)

    # ---- state -------------------------------------------------------------------------------------

    @property
    def nodes(self) -> List[Node]:
        """The bodies in the order of the numbers."""
        found = []
        with self.world._context.lock:
            self._sizes()
            raw = ffi.new("vs_tree_node *")
            for k in range(lib.vs_tree_get_node_count(self._pointer)):
                self._call(lib.vs_tree_get_node_at, k, raw)
                body, parent = read_body(self.world, raw.body), read_body(self.world, raw.parent)
                assert body is not None
                joint = Joint(self.world, ffi.new("vs_joint_id *", raw.joint)[0]) if raw.joint.generation else None
                qpos = slice(raw.qpos, raw.qpos + raw.positions)
                found.append(Node(body, parent, joint, qpos, slice(raw.qvel, raw.qvel + raw.velocities)))
        return found

    @property
    def qpos(self) -> FloatArray:
        """Positions (nq); may be set: places all bodies and keeps `qvel`."""
        with self.world._context.lock:
            out = np.empty(self._sizes()[0])
            self._call(lib.vs_tree_get_state, pointer_to(out), NULL)
        return out

    @qpos.setter
    def qpos(self, values: npt.ArrayLike) -> None:
        with self.world._context.lock:
            given = doubles(values, self._sizes()[0], "qpos")
            self._call(lib.vs_tree_set_state, pointer_to(given), NULL)

    @property
    def qvel(self) -> FloatArray:
        """Velocities (nv); may be set."""
        with self.world._context.lock:
            out = np.empty(self._sizes()[1])
            self._call(lib.vs_tree_get_state, NULL, pointer_to(out))
        return out

    @qvel.setter
    def qvel(self, values: npt.ArrayLike) -> None:
        with self.world._context.lock:
            given = doubles(values, self._sizes()[1], "qvel")
            self._call(lib.vs_tree_set_state, NULL, pointer_to(given))

    # ---- matrices ----------------------------------------------------------------------------------

    def mass_matrix(self) -> FloatArray:
        """M (nv x nv): the kinetic energy is qvel @ M @ qvel / 2. With the armature of joints."""
        with self.world._context.lock:
            size = self._sizes()[1]
            out = np.empty((size, size))
            self._call(lib.vs_tree_get_mass_matrix, pointer_to(out))
        return out

    def jacobian(self, body: Optional[Body], point: Optional[Vector] = None) -> Tuple[FloatArray, FloatArray]:
        """Jacobians (3 x nv each) of a point of a body, now at `point` in the world (None: its centre of mass).

        The point's velocity is the first times qvel, the body's spin the second times qvel, both in world axes.
        """
        with self.world._context.lock:
            size = self._sizes()[1]
            if point is None:
                point = (0.0, 0.0, 0.0) if body is None else body.position
            linear, angular = np.empty((3, size)), np.empty((3, size))
            at, id_ = vec3(point, "point"), self.world._id(body, "body")
            self._call(lib.vs_tree_get_jacobian, id_, at, pointer_to(linear), pointer_to(angular))
        return linear, angular

    def centre_of_mass(self, body: Optional[Body] = None) -> Tuple[FloatArray, FloatArray]:
        """Centre of mass (m) of a body with everything behind it, or of all dynamic bodies, and its Jacobian (3 x nv)."""
        with self.world._context.lock:
            jacobian, centre = np.empty((3, self._sizes()[1])), ffi.new("vs_vec3 *")
            self._call(lib.vs_tree_get_centre, self.world._id(body, "body"), NULL, centre, pointer_to(jacobian))
        return vector(centre), jacobian

    def closures(self) -> Tuple[List[Joint], FloatArray, FloatArray]:
        """Constraints between the coordinates: for each row its joint, the violation (m, rad), and its derivative by qvel."""
        with self.world._context.lock:
            size, count = self._sizes()[1], ffi.new("int *")
            self._call(lib.vs_tree_get_closures, NULL, NULL, NULL, 0, count)
            rows = count[0]
            ids, violation, jacobian = ffi.new("vs_joint_id[]", rows), np.empty(rows), np.empty((rows, size))
            target = pointer_to(violation), pointer_to(jacobian)
            self._call(lib.vs_tree_get_closures, ids, *target, rows, count)
            joints = [Joint(self.world, ffi.new("vs_joint_id *", ids[k])[0]) for k in range(rows)]
        return joints, violation, jacobian

    # ---- forces ------------------------------------------------------------------------------------

    def _force(self, function: Any, *arguments: Any) -> FloatArray:
        out = np.empty(self._sizes()[1])
        self._call(function, *arguments, pointer_to(out))
        return out

    def bias(self) -> FloatArray:
        """(nv) Coriolis, centrifugal and gyroscopic forces minus gravity."""
        with self.world._context.lock:
            return self._force(lib.vs_tree_get_bias)

    def passive(self) -> FloatArray:
        """(nv) of springs and dampers of joints, loads, and forces of the next step."""
        with self.world._context.lock:
            return self._force(lib.vs_tree_get_passive)

    def project_forces(self, wrenches: npt.ArrayLike) -> FloatArray:
        """(nv) of a force (N) and a torque (N m about the centre of mass) on each body (bodies x 6), world axes."""
        with self.world._context.lock:
            given = doubles(wrenches, 6 * len(self.world), "wrenches")
            return self._force(lib.vs_tree_project_forces, pointer_to(given))

    def inverse_dynamics(
        self, qacc: Union[npt.ArrayLike, None] = None, wrenches: Optional[npt.ArrayLike] = None
    ) -> FloatArray:
        """(nv) M qacc + bias - passive: the forces that motors have to exert for an acceleration (None: 0).

        Less those of `wrenches`, as for `project_forces()`: `Simulation.contact_forces()` are those of the contacts.
        """
        with self.world._context.lock:
            size = self._sizes()[1]
            acceleration = None if qacc is None else doubles(qacc, size, "qacc")
            outer = None if wrenches is None else doubles(wrenches, 6 * len(self.world), "wrenches")
            return self._force(lib.vs_tree_get_inverse_dynamics, pointer_to(acceleration), pointer_to(outer))

    def __repr__(self) -> str:
        with self.world._context.lock:
            nq, nv = self._sizes()
            nodes = lib.vs_tree_get_node_count(self._pointer)
        return f"<voussoir.Tree: {nodes} {'body' if nodes == 1 else 'bodies'}, nq = {nq}, nv = {nv}>"

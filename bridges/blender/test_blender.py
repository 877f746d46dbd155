"""Tests of the add-on in Blender without a window; test.sh starts it: blender -b --factory-startup -P test_blender.py."""

import json
import math
import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import bpy
import h5py
import numpy as np

HERE = Path(__file__).resolve().parent
COMMAND = os.environ["VOUSSOIR"]

bpy.ops.preferences.addon_install(filepath=str(HERE / "voussoir_blender.py"))
bpy.ops.preferences.addon_enable(module="voussoir_blender")
import voussoir_blender as addon  # noqa: E402

bpy.context.preferences.addons["voussoir_blender"].preferences.command = COMMAND


def simulate(folder, scene, *options):
    """A run outside of the add-on; returns its trajectory."""
    if isinstance(scene, dict):
        (folder / "scene.json").write_text(json.dumps(scene))
        scene = str(folder / "scene.json")
    subprocess.run([COMMAND, "run", scene, "-o", str(folder / "run.h5"), "--quiet", *options], check=True, stdout=subprocess.DEVNULL)
    return folder / "run.h5"


def add_box(name, place, scale=(1, 1, 1), turn=(0, 0, 0)):
    bpy.ops.mesh.primitive_cube_add(size=1, location=place, rotation=turn)
    bpy.context.object.name = name
    bpy.context.object.scale = scale
    return bpy.context.object


def add_mesh(name, vertices, faces, place=(0, 0, 0)):
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices, [], faces)
    thing = bpy.data.objects.new(name, mesh)
    thing.location = place
    bpy.context.scene.collection.objects.link(thing)
    return thing


def select(*things):
    bpy.context.view_layer.update()
    for thing in bpy.data.objects:
        thing.select_set(thing in things)


def prism(outline, depth):
    """A prism over a counter-clockwise outline in x-z, from y = 0 to depth."""
    n = len(outline)
    vertices = [(x, y, z) for y in (0, depth) for x, z in outline]
    sides = [(k, (k + 1) % n, n + (k + 1) % n, n + k) for k in range(n)]
    return vertices, [tuple(reversed(side)) for side in sides] + [tuple(range(n)), tuple(range(2 * n - 1, n - 1, -1))]


class Case(unittest.TestCase):
    def setUp(self):
        bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
        bpy.ops.preferences.addon_enable(module="voussoir_blender")
        bpy.context.preferences.addons["voussoir_blender"].preferences.command = COMMAND
        bpy.context.scene.gravity = (0, 0, -9.81)
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def at(self, frame):
        """The evaluated scene at a frame, which may be a fraction."""
        bpy.context.scene.frame_set(int(frame), subframe=frame - int(frame))
        return bpy.context.evaluated_depsgraph_get()


class Reading(Case):
    def arch(self):
        return simulate(self.folder, "arch", "--set", "stones=17", "--set", "thickness=0.25", "--duration", "0.5", "--frame", "0.05")

    def test_objects_are_where_the_trajectory_has_them(self):
        path = self.arch()
        bpy.ops.voussoir.import_run(filepath=str(path), chains=True, colour="force")
        with h5py.File(path) as file:
            times, poses = file["time"][:], file["state/pose"][:]
        for frame, pose in zip(1 + times * 24, poses):
            graph = self.at(frame)
            for k in range(17):
                matrix = bpy.data.objects[f"body {k}"].evaluated_get(graph).matrix_world
                # single precision of a file with coordinates of 1 m, twice
                np.testing.assert_allclose(matrix.translation, pose[k, :3], atol=1e-6)
                np.testing.assert_allclose(abs(np.dot(matrix.to_quaternion(), pose[k, 3:])), 1, atol=1e-6)

    def test_meshes_have_the_volume_of_the_bodies(self):
        path = simulate(self.folder, {"voussoir": 1, "bodies": [
            {"name": "ball", "density": 1000, "shape": {"kind": "sphere", "radius": 0.5}},
            {"name": "box", "density": 1000, "position": [2, 0, 0], "shape": {"kind": "box", "size": [1, 2, 0.5]}},
        ], "output": {"duration": 0.01}})  # fmt: skip
        run = addon.read_run(path)
        with h5py.File(path) as file:
            ball, box = file["bodies/mass"][:] / 1000
        self.assertEqual(run.names, ["ball", "box"])
        self.assertAlmostEqual(run.surfaces[1].volume(), box, places=6)
        self.assertLess(abs(run.surfaces[0].volume() / ball - 1), 0.03)  # a polyhedron in a sphere
        self.assertTrue(run.surfaces[0].smooth)

    def test_forces_of_pairs_carry_the_stones(self):
        path = self.arch()
        run = addon.read_run(path)
        with h5py.File(path) as file:
            weight = file["bodies/mass"][:] * -9.81
        pairs = addon.pairs_of(run)
        self.assertEqual(len(pairs), 18)
        total = np.zeros((len(run.time), 17, 3))
        for pair in pairs:
            for body, sign in ((pair.a, -1), (pair.b, 1)):
                if body >= 0:
                    total[:, body] += sign * pair.force
        # At rest; the tolerance of a step leaves errors of the force of about 1e-4 of the weight.
        self.assertLess(np.abs(total[-1] + weight[:, None] * [0, 0, 1]).max(), 1e-3 * abs(weight).max())

    def test_forces_are_the_same_without_h5py(self):
        path = self.arch()
        exact, without = (addon.pairs_of(addon.read_run(path, h5py=h5)) for h5 in (True, False))
        self.assertEqual([p[:2] for p in exact], [p[:2] for p in without])
        for one, other in zip(exact, without):
            np.testing.assert_allclose(one.force, other.force, atol=1e-6 * np.abs(one.force).max())
            np.testing.assert_allclose(one.point[1:], other.point[1:], atol=1e-9)  # m; the same sums in another order

    def test_every_reads_the_forces_of_its_frames(self):
        path = self.arch()
        whole, part = addon.read_run(path), addon.read_run(path, every=3)
        np.testing.assert_allclose(part.time, whole.time[[0, 3, 6, 9, 10]])
        np.testing.assert_allclose(addon.body_forces(part), addon.body_forces(whole)[[0, 3, 6, 9, 10]])
        other = addon.read_run(path, every=3, h5py=False)
        np.testing.assert_allclose(other.time, part.time)
        self.assertEqual(set(other.contacts.frame), {1, 2, 3, 4})

    def test_stress_under_a_standing_block(self):
        path = simulate(self.folder, {"voussoir": 1, "materials": {"ice": {"mu": 0}}, "bodies": [
            {"motion": "static", "shape": {"kind": "plane"}},
            {"name": "block", "density": 2000, "position": [0, 0, 0.5], "shape": {"kind": "box", "size": [0.4, 0.4, 1]}},
        ], "output": {"duration": 0.2}})  # fmt: skip
        run = addon.read_run(path)
        row = run.names.index("block")
        self.assertEqual([bool(x) for x in run.dynamic], [k == row for k in range(2)])
        thing = addon.draw_chains(run, np.arange(len(run.time)), 1, bpy.context.scene.collection)
        ends = [tuple(point.co)[:3] for point in thing.data.splines[0].points]
        np.testing.assert_allclose(ends, [(0, 0, 0), (0, 0, 0), (0, 0, 0.5)], atol=1e-4)  # from the floor to the centre
        # rho g h at the foot, nothing at the top: half of it in the mean
        self.assertAlmostEqual(addon.body_stresses(run)[-1, row] / (2000 * 9.81 * 1 / 2), 1, places=4)
        self.assertAlmostEqual(addon.body_forces(run)[-1, row] / (2000 * 0.16 * 9.81), 1, places=4)
        with self.assertRaisesRegex(addon.VoussoirError, "install h5py"):
            addon.body_stresses(addon.read_run(path, h5py=False))

    def test_colours_and_chains_follow_the_forces(self):
        path = self.arch()
        run = addon.read_run(path)
        bpy.ops.voussoir.import_run(filepath=str(path), colour="force", chains=True)
        forces = addon.body_forces(run)
        k = int(forces[-1].argmax())
        graph = self.at(1 + 0.5 * 24)
        seen = bpy.data.objects[f"body {k}"].evaluated_get(graph).color
        np.testing.assert_allclose(seen[:3], addon.colours(forces[-1, k] / forces.max()), atol=5e-3)
        splines = bpy.data.objects["force chains"].evaluated_get(graph).data.splines
        for (a, b, *_), spline in zip(addon.pairs_of(run), splines):
            for body, end in ((a, 0), (b, 2)):
                if body >= 0:
                    np.testing.assert_allclose(tuple(spline.points[end].co)[:3], run.position[-1, body], atol=1e-3)
        pairs = addon.pairs_of(run)
        self.assertEqual(len(splines), len(pairs))
        force = np.array([np.linalg.norm(pair.force[-1]) for pair in pairs])
        radius = np.array([spline.points[1].radius for spline in splines])
        np.testing.assert_allclose((radius / radius.max()) ** 2, force / force.max(), rtol=0.02)
        # before the first step there are no forces
        splines = bpy.data.objects["force chains"].evaluated_get(self.at(1)).data.splines
        self.assertEqual(max(spline.points[1].radius for spline in splines), 0)


class Writing(Case):
    def setUp(self):
        super().setUp()
        self.settings = bpy.context.scene.voussoir

    def export(self, *things):
        select(*things)
        bpy.ops.voussoir.export_scene(filepath=str(self.folder / "scene.json"))
        return json.loads((self.folder / "scene.json").read_text())

    def test_masses_are_volumes_times_densities(self):
        ground = add_box("Ground", (0, 0, -0.5), (20, 20, 1))
        box = add_box("box", (0, 0, 1), (0.5, 1, 2), (0.1, 0.2, 0.3))
        ell = add_mesh("ell", *prism([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)], 0.5), place=(3, 0, 0.1))
        bpy.ops.mesh.primitive_cone_add(vertices=7, location=(-3, 0, 2))
        cone = bpy.context.object
        cone["density"] = 500
        stone = bpy.data.materials.new("stone")
        stone["density"], stone["mu"] = 2600, 0.7
        box.data.materials.append(stone)
        scene = self.export(ground, box, ell, cone)
        kind = {body["name"]: body["shapes"][0]["kind"] for body in scene["bodies"]}
        self.assertEqual(kind, {"Ground": "hull", "box": "hull", "ell": "mesh", "Cone": "hull"})
        self.assertEqual(scene["materials"]["stone"]["mu"], 0.7)
        path = simulate(self.folder, str(self.folder / "scene.json"), "--duration", "0.01")
        with h5py.File(path) as file:
            mass = dict(zip(file["bodies/name"].asstr()[:], file["bodies/mass"][:]))
        base = 7 / 2 * math.sin(2 * math.pi / 7)
        for name, value in (("Ground", 0), ("box", 2600), ("ell", 3 * 0.5 * 2400), ("Cone", 500 * base * 2 / 3)):
            self.assertAlmostEqual(mass[name], value, delta=1e-5 * max(value, 1))

    def test_shapes_by_property(self):
        """A ball falls onto a half-space, a box onto a box: 1 s later both rest at the heights of these shapes."""
        plane, table = add_box("Ground", (0, 0, -0.5)), add_box("table", (5, 0, 0), (4, 4, 0.2))
        bpy.ops.mesh.primitive_ico_sphere_add(radius=0.5, location=(9, 9, 0.6))
        ball = bpy.context.object
        block = add_box("block", (5, 0, 0.7), (0.4, 0.4, 1))
        plane["shape"], table["motion"], table["shape"] = "plane", "static", "mesh"
        ball["shape"], block["shape"] = "sphere", "box"
        self.settings.duration, self.settings.chains = 1, False
        select(plane, table, ball, block)
        bpy.ops.voussoir.simulate()
        self.at(25)
        self.assertAlmostEqual(ball.matrix_world.translation.z, 0.5, places=4)
        self.assertAlmostEqual(block.matrix_world.translation.z, 0.6, places=4)

    def test_objects_follow_their_bodies(self):
        """Whatever the origin, rotation and scale of an object: its centre of mass is that of the body, and it turns with it."""
        ground = add_box("Ground", (0, 0, -0.5), (20, 20, 1))
        wedge = add_mesh("wedge", *prism([(1, 1), (2, 1), (1, 2)], 1), place=(0, 0, 1))
        wedge.scale, wedge.rotation_euler = (1, 0.5, -1), (0.3, 0.5, 0.7)
        self.settings.duration, self.settings.speed = 0.6, 0.5
        select(ground, wedge)
        self.assertEqual(bpy.ops.voussoir.simulate(), {"FINISHED"})
        self.assertEqual(addon.Background.message, "2 objects moved")
        with h5py.File(addon.Background.output) as file:
            times, poses = file["time"][:], file["state/pose"][:, 1]
        self.assertGreater(np.abs(poses[-1, 2] - poses[0, 2]), 0.2)
        self.assertLess(abs(np.dot(poses[-1, 3:], poses[0, 3:])), 0.999)
        for time_, pose in zip(times, poses):
            matrix = wedge.evaluated_get(self.at(1 + time_ * 24 / 0.5)).matrix_world
            centre = matrix @ addon_vector((4 / 3, 0.5, 4 / 3))
            np.testing.assert_allclose(centre, pose[:3], atol=2e-5)

    def test_a_fall(self):
        box = add_box("box", (0, 0, 5))
        self.settings.duration = 0.5
        select(box)
        bpy.ops.voussoir.simulate()
        self.at(13)
        # the scheme's velocities at the ends of steps: h g t / 2 more than g t^2 / 2
        self.assertAlmostEqual(box.matrix_world.translation.z, 5 - 9.81 * 0.5 * (0.5 + 1 / 240) / 2, places=4)

    def test_unit_scale(self):
        bpy.context.scene.unit_settings.scale_length = 0.001
        box = add_box("box", (0, 0, 5000), (1000, 1000, 1000))
        self.settings.duration = 0.5
        select(box)
        bpy.ops.voussoir.simulate()
        self.at(13)
        self.assertAlmostEqual(box.matrix_world.translation.z / 1000, 5 - 9.81 * 0.5 * (0.5 + 1 / 240) / 2, places=4)
        with h5py.File(addon.Background.output) as file:
            self.assertAlmostEqual(file["bodies/mass"][0], 2400, delta=0.1)

    def test_simulating_again_begins_where_the_objects_are(self):
        box = add_box("box", (0, 0, 5))
        self.settings.duration = 0.25
        select(box)
        for _ in range(2):
            self.at(1)
            bpy.ops.voussoir.simulate()
            self.at(1)
            self.assertAlmostEqual(box.matrix_world.translation.z, 5, places=5)

    def test_a_hinge_from_a_constraint(self):
        arm = add_box("arm", (0.5, 0, 2), (1, 0.1, 0.1))
        bpy.ops.object.empty_add(location=(0, 0, 2), rotation=(math.pi / 2, 0, 0))
        pin = bpy.context.object
        bpy.ops.rigidbody.world_add()
        bpy.ops.rigidbody.constraint_add(type="HINGE")
        pin.rigid_body_constraint.object1 = arm
        self.settings.duration = 0.5
        scene = self.export(arm, pin)
        self.assertEqual((scene["joints"][0]["kind"], scene["joints"][0]["a"], scene["joints"][0]["b"]), ("revolute", "world", "arm"))
        select(arm, pin)
        bpy.ops.voussoir.simulate()
        self.at(10)
        end = arm.matrix_world.translation
        self.assertAlmostEqual(math.hypot(end.x, end.z - 2), 0.5, places=4)
        self.assertLess(end.z, 1.9)

    def test_rigid_bodies_of_blender(self):
        floor, box = add_box("a", (0, 0, -0.5), (9, 9, 1)), add_box("b", (0, 0, 0.5))
        select(floor, box)
        bpy.context.view_layer.objects.active = floor
        bpy.ops.rigidbody.objects_add(type="PASSIVE")
        box.rigid_body.type = "ACTIVE"
        self.assertEqual([body["motion"] for body in self.export(floor, box)["bodies"]], ["static", "dynamic"])

    def test_messages(self):
        box, child = add_box("box", (0, 0, 5)), add_box("child", (0, 0, 7))
        sheet = add_mesh("sheet", [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])
        child.parent = box
        for things, words in (([child], "has a parent"), ([sheet], "open or doubled edges"), ([], "nothing would move")):
            select(*things)
            with self.assertRaisesRegex(RuntimeError, words):
                bpy.ops.voussoir.simulate()
        box["shape"] = "round"
        select(box)
        with self.assertRaisesRegex(RuntimeError, "known are hull"):
            bpy.ops.voussoir.simulate()
        bpy.context.preferences.addons["voussoir_blender"].preferences.command = "/nowhere/voussoir"
        del box["shape"]
        with self.assertRaisesRegex(RuntimeError, "set the command in the preferences"):
            bpy.ops.voussoir.simulate()

    def test_what_the_command_says_is_shown(self):
        box = add_box("box", (0, 0, 5))
        box["mass"] = -1.0
        select(box)
        with self.assertRaisesRegex(RuntimeError, "mass"):
            bpy.ops.voussoir.simulate()


class Running(Case):
    def test_progress_and_cancel(self):
        job = addon.Job(["run", "balls-in-box", "--duration", "1000", "-o", str(self.folder / "run.h5")])
        addon.Background.job, addon.Background.output = job, self.folder / "run.h5"
        limit = time.monotonic() + 60
        while "%" not in job.text and time.monotonic() < limit:
            self.assertIsNotNone(addon.poll_run())
            time.sleep(0.1)
        self.assertIn("%", job.text)
        with self.assertRaisesRegex(addon.VoussoirError, "in progress"):
            addon.start_run(self.folder / "x.json", self.folder / "x.h5")
        bpy.ops.voussoir.cancel()
        while addon.poll_run() is not None and time.monotonic() < limit:
            time.sleep(0.1)
        self.assertEqual(job.process.returncode, 130)
        self.assertIn("cancelled", addon.Background.message)
        self.assertGreater(len(addon.read_run(self.folder / "run.h5").time), 1)

    def test_progress_reaches_the_end(self):
        job = addon.Job(["run", "arch", "--duration", "2"])
        job.process.wait(60)
        job.reader.join()
        self.assertEqual(job.process.returncode, 0)
        self.assertGreater(job.progress, 0)


def addon_vector(x):
    from mathutils import Vector

    return Vector(x)


if __name__ == "__main__":
    names = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else []
    result = unittest.main(argv=["test_blender.py", *names], exit=False, verbosity=2).result
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(not result.wasSuccessful())  # Blender's own end does not keep the exit code

"""Tests of the macro in FreeCAD without a window; test.sh starts it with freecadcmd."""

import math
import os
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, os.environ["HERE"])
import dominoes  # noqa: E402
import FreeCAD  # noqa: E402
import Part  # noqa: E402
import voussoir_freecad as bridge  # noqa: E402
from FreeCAD import Placement, Rotation, Vector  # noqa: E402

COMMAND = os.environ["VOUSSOIR"]


class Case(unittest.TestCase):
    def setUp(self):
        self.document = FreeCAD.newDocument("test")
        self.settings = bridge.settings_of(self.document)
        self.settings.Command = COMMAND

    def tearDown(self):
        for name in list(FreeCAD.listDocuments()):
            FreeCAD.closeDocument(name)

    def add(self, kind, label, place=(0, 0, 0), **sizes):
        thing = dominoes.add(self.document, kind, label, place, **sizes)
        self.document.recompute()
        return thing

    def scene(self):
        self.document.recompute()
        scene = bridge.scene_of(self.document)
        return scene, {body["name"]: body for body in scene["bodies"]}


class Scenes(Case):
    def test_twenty_parts(self):
        document = dominoes.make()
        scene = bridge.scene_of(document)
        self.assertEqual(len(scene["bodies"]), 20)
        self.assertEqual([body["name"] for body in scene["bodies"] if body["motion"] == "static"],
                         ["base", "fixed bearing front", "fixed bearing back"])  # fmt: skip
        self.assertEqual([joint["kind"] for joint in scene["joints"]], ["revolute"] * 3 + ["prismatic"])
        bodies = {body["name"]: body for body in scene["bodies"]}
        domino, crank = bodies["domino 3"], bodies["crank"]
        a, b, c = 0.008, 0.024, 0.048
        mass = 7850 * a * b * c
        self.assertAlmostEqual(domino["mass"] / mass, 1, places=9)
        for value, exact in zip(domino["inertia"], [b * b + c * c, a * a + c * c, a * a + b * b]):
            self.assertAlmostEqual(value / (mass * exact / 12), 1, places=6)
        self.assertEqual(crank["shapes"][0]["kind"], "cylinder")
        mass = 7850 * math.pi * 0.028**2 * 0.008
        self.assertAlmostEqual(crank["inertia"][2] / (mass * 0.028**2 / 2), 1, places=6)  # about its own axis

    def test_shapes(self):
        self.add("Sphere", "ball", Radius=10)
        self.add("Cone", "cone", (50, 0, 0), Radius1=10, Radius2=5, Height=10)
        self.add("Torus", "ring", (100, 0, 0), Radius1=10, Radius2=2)
        block, hole = self.add("Box", "block"), self.add("Cylinder", "hole", Radius=3, Height=20)
        cut = self.document.addObject("Part::Cut", "drilled")
        cut.Base, cut.Tool = block, hole
        _, bodies = self.scene()
        kinds = {name: body["shapes"][0]["kind"] for name, body in bodies.items()}
        self.assertEqual(kinds, {"ball": "sphere", "cone": "hull", "ring": "mesh", "drilled": "mesh"})
        self.assertAlmostEqual(bodies["ball"]["shapes"][0]["radius"], 0.01)
        self.assertAlmostEqual(bodies["ring"]["mass"], 7850 * 2 * math.pi**2 * 0.01 * 0.002**2, places=9)

    def test_containers_and_links(self):
        box = self.add("Box", "box", (1, 0, 0))
        part = self.document.addObject("App::Part", "assembly")
        part.addObject(box)
        part.Placement = Placement(Vector(0, 0, 100), Rotation(Vector(0, 0, 1), 90))
        link = self.document.addObject("App::Link", "copy")
        link.LinkedObject = box
        link.Placement = Placement(Vector(7, 8, 9), Rotation())
        _, bodies = self.scene()
        self.assertEqual(sorted(bodies), ["box", "copy"])
        for found, expected in zip(bodies["box"]["position"], (0, 0.001, 0.1)):
            self.assertAlmostEqual(found, expected)
        for found, expected in zip(bodies["copy"]["position"], (0.007, 0.008, 0.009)):
            self.assertAlmostEqual(found, expected)
        bridge.set_global_placement(box, Placement(Vector(3, 2, 1), Rotation()))
        self.assertTrue(bridge.global_placement(box).Base.isEqual(Vector(3, 2, 1), 1e-9))

    def test_properties(self):
        box = self.add("Box", "box")
        box.addProperty("App::PropertyFloat", "Density")
        box.Density = 1000
        held = self.add("Box", "held", (0, 0, 20))
        held.addProperty("App::PropertyBool", "Grounded")
        held.Grounded = True
        _, bodies = self.scene()
        self.assertAlmostEqual(bodies["box"]["mass"], 1e-3)
        self.assertEqual(bodies["held"]["motion"], "static")

    def test_messages(self):
        self.add("Box", "base")
        with self.assertRaisesRegex(bridge.VoussoirError, "nothing would move"):
            self.scene()
        self.add("Box", "box", (0, 0, 20))
        dominoes.add_axis(self.document, "revolute base/bx", (0, 0, 0), (0, 0, 1))
        with self.assertRaisesRegex(bridge.VoussoirError, "no part with the label 'bx'"):
            self.scene()
        self.document.getObjectsByLabel("revolute base/bx")[0].Label = "note"
        self.settings.Command = "/nowhere/voussoir"
        with self.assertRaisesRegex(bridge.VoussoirError, "set the property Command"):
            bridge.simulate(self.document)
        self.settings.Command, self.settings.Mu = COMMAND, -1.0
        with self.assertRaisesRegex(bridge.VoussoirError, "mu"):
            bridge.simulate(self.document)


class Runs(Case):
    def test_a_crank_drives_a_slider(self):
        document = dominoes.make()
        bridge.settings_of(document).Command = COMMAND
        bridge.settings_of(document).Duration = 1.2
        run = bridge.simulate(document)
        r, l = dominoes.CRANK, dominoes.ROD
        parts = {name: document.getObjectsByLabel(name)[0] for name in run.moving}
        for frame, t in enumerate(run.time):
            bridge.place(document, run, frame)
            angle = math.pi + 6 * t
            slider = r * math.cos(angle) + math.sqrt(l**2 - (r * math.sin(angle)) ** 2)
            # mm; joints are projected after each step, and the speed of the motor is exact
            self.assertAlmostEqual(parts["slider"].Placement.Base.x, slider, delta=1e-3)
            pin = parts["rod"].Placement.multVec(Vector(0, 0, 4))
            self.assertAlmostEqual(pin.x, r * math.cos(angle), delta=1e-3)
        for k in (1, 7, 14):
            up = parts[f"domino {k}"].Placement.Rotation.multVec(Vector(0, 0, 1))
            self.assertLess(up.z, 0.9 if k == 14 else 0.7, f"domino {k} stands")
        bridge.place(document, run, 0)
        self.assertTrue(parts["domino 1"].Placement.Base.isEqual(run.start["domino 1"].Base, 1e-9))
        self.assertTrue(parts["crank"].Placement.Rotation.isSame(run.start["crank"].Rotation, 1e-9))
        sheet = bridge.write_forces(document, run)
        self.assertEqual(sheet.get("A1"), "time (s)")
        self.assertAlmostEqual(sheet.get(bridge.cell(0, len(run.time))), 1.2)
        axis = document.getObjectsByLabel("revolute rod/slider")[0]
        self.assertGreater(axis.LargestForce, 0)

    def test_the_ground_carries_the_weight(self):
        self.add("Box", "base", (-50, -50, -10), Length=100, Width=100, Height=10)
        ball = self.add("Cylinder", "drum", (0, 0, 0), Radius=10, Height=30)
        ball.Placement.Rotation = Rotation(Vector(0, 0, 1), 30)
        self.settings.Duration = 0.2
        run = bridge.simulate(self.document)
        weight = 7850 * math.pi * 0.01**2 * 0.03 * 9.81
        force = bridge.forces_at(run, len(run.time) - 1)["reaction:base"]
        self.assertAlmostEqual(force.z / weight, 1, places=3)
        bridge.place(self.document, run, len(run.time) - 1)
        self.assertTrue(ball.Placement.Base.isEqual(Vector(0, 0, 0), 1e-3))

    def test_a_pendulum_on_its_axis(self):
        arm = self.add("Box", "arm", (0, 0, 0), Length=100, Width=10, Height=10)
        dominoes.add_axis(self.document, "revolute world/arm", (0, 0, 5), (0, 10, 5))
        # A quarter of the period of a slender rod that is released at the horizontal: 1.1803 times that of small swings
        quarter = 1.1803 * math.pi / 2 * math.sqrt(2 * 0.1 / (3 * 9.81))
        self.settings.Duration = self.settings.Frame = quarter
        run = bridge.simulate(self.document)
        bridge.place(self.document, run, len(run.time) - 1)
        self.assertTrue(arm.Placement.multVec(Vector(0, 0, 5)).isEqual(Vector(0, 0, 5), 1e-3))
        self.assertLess(arm.Placement.multVec(Vector(100, 0, 5)).z, 5 - 99)

    def test_cancel(self):
        self.add("Box", "box")
        self.settings.Duration = 1e5
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "box.h5"
            run = bridge.simulate(self.document, path, tick=lambda progress: not path.exists())
        self.assertLess(run.time[-1], 1e5)

    def test_the_trajectory_is_kept(self):
        self.add("Box", "box")
        with tempfile.TemporaryDirectory() as folder:
            self.settings.Duration = 0.1
            bridge.simulate(self.document, Path(folder) / "box.h5")
            self.assertTrue((Path(folder) / "box.h5").is_file())


names = os.environ["TESTS"].split()
outcome = unittest.main(module=__name__, argv=["test_freecad.py", *names], exit=False, verbosity=2).result
sys.stdout.flush()
sys.stderr.flush()
os._exit(not outcome.wasSuccessful())  # freecadcmd would wait for input

"""Draws one frame of a run as PNG, with ParaView and without a screen:

    voussoir run arch -o run.h5
    voussoir export run.h5 view.xdmf
    xvfb-run -a -s "-screen 0 1280x1024x24 -noreset" pvbatch tools/render.py view.xdmf out.png --run run.h5

Shapes and contacts come from the export as ParaView's reader sees it. Hulls, meshes and height fields are drawn by
their triangles if the trajectory is given with --run, else by their boxes; planes are a floor under everything.
Flexible solids are drawn as they are deformed, with --run only.
Arrows are contact forces, those of the two at a contact that point upwards; the largest has the length --arrow (part
of the scene's size, 0: no arrows). --resultants draws one arrow for each pair of bodies: the sum of their forces, at
the middle of the contacts weighed by their normal forces.

Needs: paraview python3-paraview xvfb (Debian), numpy, and h5py for --run.
"""
import argparse
import math

import numpy as np
from paraview import simple as pv
from paraview import vtk
from vtkmodules.numpy_interface import dataset_adapter as dsa
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData
from vtkmodules.vtkCommonTransforms import vtkTransform
from vtkmodules.vtkFiltersCore import vtkAppendPolyData
from vtkmodules.vtkFiltersGeneral import vtkTransformPolyDataFilter
from vtkmodules.vtkFiltersSources import (
    vtkArrowSource,
    vtkCapsuleSource,
    vtkCubeSource,
    vtkCylinderSource,
    vtkSphereSource,
)

SPHERE, BOX, CAPSULE, CYLINDER, ELLIPSOID, HULL, PLANE, MESH, HEIGHTS = range(9)
# Sandstone, with neighbours a little different.
STONE = np.array([[205, 178, 140], [188, 160, 122], [216, 194, 160], [176, 150, 118], [198, 168, 128], [222, 200, 170]])
SOLID = np.array([[86, 128, 168], [196, 120, 84], [120, 156, 96], [204, 172, 92], [140, 112, 160], [96, 156, 160]])


def read_options():
    parser = argparse.ArgumentParser(description="Draws one frame of a run as PNG; use with pvbatch.")
    parser.add_argument("xdmf", help="made by 'voussoir export'")
    parser.add_argument("png")
    parser.add_argument("--run", help="the trajectory that was exported, for the triangles of hulls and meshes")
    parser.add_argument("--time", type=float, help="s; default: the last frame")
    parser.add_argument("--arrow", type=float, default=0.25, help="length of the longest arrow by the scene's size")
    parser.add_argument("--resultants", action="store_true", help="one arrow a pair of bodies")
    parser.add_argument("--opacity", type=float, help="of the bodies; default: 0.45 with arrows, else 1")
    # pvbatch takes no negative numbers.
    parser.add_argument("--azimuth", type=float, default=295, help="degrees about z of the place to look from, 0: x")
    parser.add_argument("--elevation", type=float, default=15, help="degrees")
    parser.add_argument("--size", type=int, nargs=2, default=[1000, 700], metavar=("WIDTH", "HEIGHT"))
    return parser.parse_args()


# ---- reading ----------------------------------------------------------------------------------------------


def fetch(reader, time):
    """The blocks of one frame: {name: {array: numpy}}; a block without points is absent."""
    reader.UpdatePipeline(time)
    tree = pv.servermanager.Fetch(reader)
    blocks = {}
    for k in range(tree.GetNumberOfBlocks()):
        block, data = tree.GetMetaData(k), tree.GetBlock(k)
        if data is None or data.GetNumberOfPoints() == 0:
            continue
        name = block.Get(vtk.vtkCompositeDataSet.NAME())
        points = dsa.WrapDataObject(data)
        blocks[name] = {key: np.array(points.PointData[key]) for key in points.PointData.keys()}
        blocks[name]["position"] = np.array(points.Points)
    return blocks


def open_export(path, time):
    reader = pv.XDMFReader(FileNames=[path])
    reader.UpdatePipelineInformation()
    times = np.atleast_1d(reader.TimestepValues)
    time = times[-1] if time is None else times[np.argmin(np.abs(times - time))]
    blocks = fetch(reader, time)
    if "shapes" not in blocks and "flexible" not in blocks:
        raise SystemExit(f"{path}: no shapes at {time} s")
    return blocks, time


def read_triangles(path):
    """For each collider that is not a plane, in the order of the export: vertices and triangles, or None."""
    import h5py

    with h5py.File(path, "r") as f:
        shapes = f["bodies/shape"]
        kind, bounds = shapes["kind"][:].ravel(), shapes["bounds"][:].reshape(-1, 2, 3)
        vertex, triangle = shapes["vertex"][:].reshape(-1, 3), shapes["triangle"][:].reshape(-1, 3)
        first, begin = shapes["vertex_offset"][:].ravel(), shapes["triangle_offset"][:].ravel()
        soups = []
        for s in f["bodies/collider/shape"][:].ravel():
            if kind[s] == PLANE:
                continue
            # The export's points are the middles of the boxes.
            own = vertex[first[s] : first[s + 1]] - bounds[s].mean(axis=0)
            soups.append((own, triangle[begin[s] : begin[s + 1]]) if kind[s] in (HULL, MESH, HEIGHTS) else None)
    return soups


def read_surfaces(path):
    """Of each flexible solid: its nodes as a slice of all, and triangles of them."""
    import h5py

    with h5py.File(path, "r") as f:
        if "flexible" not in f:
            return []
        solids = f["flexible"]
        node, begin, triangle = (solids[key][:] for key in ("node_offset", "triangle_offset", "triangle"))
    return [(slice(node[k], node[k + 1]), triangle[begin[k] : begin[k + 1]]) for k in range(len(node) - 1)]


# ---- shapes as triangles ----------------------------------------------------------------------------------


def soup_to_poly(vertices, triangles):
    points, cells = vtkPoints(), vtkCellArray()
    points.SetData(numpy_to_vtk(np.ascontiguousarray(vertices, dtype=float), deep=True))
    for a, b, c in triangles:
        cells.InsertNextCell(3)
        for k in (a, b, c):
            cells.InsertCellPoint(int(k))
    poly = vtkPolyData()
    poly.SetPoints(points)
    poly.SetPolys(cells)
    return poly


def make_shape(kind, size, soup):
    """In the shape's axes, about the middle of its box, and the scale that it still needs."""
    if soup is not None:
        return soup_to_poly(*soup), (1, 1, 1), None
    if kind in (SPHERE, ELLIPSOID):
        source = vtkSphereSource()
        source.SetRadius(0.5)
        source.SetThetaResolution(32)
        source.SetPhiResolution(24)
        scale = size
    elif kind in (CYLINDER, CAPSULE):
        source = vtkCylinderSource() if kind == CYLINDER else vtkCapsuleSource()
        source.SetRadius(size[0] / 2)
        if kind == CYLINDER:
            source.SetHeight(size[2])
            source.SetResolution(40)
        else:
            source.SetCylinderLength(size[2] - size[0])
            source.SetThetaResolution(32)
            source.SetPhiResolution(16)
        scale = (1, 1, 1)
    else:
        source, scale = vtkCubeSource(), size
    source.Update()
    # VTK's cylinders lie along y, ours along z.
    return source.GetOutput(), scale, (90, 1, 0, 0) if kind in (CYLINDER, CAPSULE) else None


def put(poly, position, quaternion, scale, turn):
    w, axis = quaternion[0], np.array(quaternion[1:])
    sine = np.linalg.norm(axis)
    transform = vtkTransform()
    transform.Translate(*position)
    if sine > 0:
        transform.RotateWXYZ(math.degrees(2 * math.atan2(sine, w)), *(axis / sine))
    if turn:
        transform.RotateWXYZ(*turn)
    transform.Scale(*scale)
    mover = vtkTransformPolyDataFilter()
    mover.SetTransform(transform)
    mover.SetInputData(poly)
    mover.Update()
    return mover.GetOutput()


def paint(poly, colour):
    colours = numpy_to_vtk(np.tile(np.asarray(colour, dtype=np.uint8), (poly.GetNumberOfPoints(), 1)), deep=True)
    colours.SetName("colour")
    poly.GetPointData().Initialize()
    poly.GetPointData().AddArray(colours)
    return poly


def join(polys):
    append = vtkAppendPolyData()
    for poly in polys:
        append.AddInputData(poly)
    append.Update()
    return append.GetOutput()


def make_solids(flexible, surfaces):
    return [paint(soup_to_poly(flexible["position"][nodes], triangles), SOLID[(k + 1) % len(SOLID)])
            for k, (nodes, triangles) in enumerate(surfaces) if np.all(np.isfinite(flexible["position"][nodes]))]


def make_bodies(shapes, soups):
    polys = []
    colours = STONE if np.all(np.isin(shapes["kind"], (BOX, HULL))) else SOLID
    for k, kind in enumerate(shapes["kind"].astype(int)):
        if shapes["present"][k] == 0:
            continue
        poly, scale, turn = make_shape(kind, shapes["size"][k], soups[k] if soups else None)
        poly = put(poly, shapes["position"][k], shapes["orientation"][k].ravel(), scale, turn)
        fixed = shapes["body"][k] < 0
        polys.append(paint(poly, (170, 170, 165) if fixed else colours[int(shapes["body"][k]) * 7 % len(colours)]))
    return polys


def sum_pairs(contacts):
    """Force and place of each pair of bodies; sums over contacts do not say how a patch shares its load."""
    pairs = np.stack([contacts["body_a"].ravel(), contacts["body_b"].ravel()], axis=1)
    pairs, pair = np.unique(pairs, axis=0, return_inverse=True)
    pair = pair.ravel()
    force, place = np.zeros((len(pairs), 3)), np.zeros((len(pairs), 3))
    weight = np.maximum(np.sum(contacts["force"] * contacts["normal"], axis=1), 1e-300)
    np.add.at(force, pair, contacts["force"])
    np.add.at(place, pair, contacts["position"] * weight[:, None])
    return force, place / np.bincount(pair, weight)[:, None]


def make_arrows(force, place, length):
    force = force * np.where(force[:, 2] < 0, -1, 1)[:, None]
    size = np.linalg.norm(force, axis=1)
    polys = []
    for k in np.flatnonzero(size > 1e-3 * size.max(initial=0)):
        source = vtkArrowSource()
        source.SetTipResolution(24)
        source.SetShaftResolution(24)
        source.Update()
        direction, at = force[k] / size[k], length * size[k] / size.max()
        # The arrow lies along x; half a turn about the line between x and the force brings it there.
        half = direction + (1, 0, 0)
        quaternion = (0, *half / np.linalg.norm(half)) if np.linalg.norm(half) > 1e-9 else (0, 0, 0, 1)
        thick = 0.6 * math.sqrt(at * length)
        polys.append(put(source.GetOutput(), place[k], quaternion, (at, thick, thick), None))
    return join(polys) if polys else None


# ---- the picture ------------------------------------------------------------------------------------------


def show(poly, view, **properties):
    producer = pv.TrivialProducer()
    producer.GetClientSideObject().SetOutput(poly)
    producer.UpdatePipeline()
    display = pv.Show(producer, view)
    display.Representation = "Surface"
    for name, value in properties.items():
        setattr(display, name, value)
    return display


def show_colours(poly, view, **properties):
    display = show(poly, view, Ambient=0.25, Diffuse=0.85, **properties)
    pv.ColorBy(display, ("POINTS", "colour"))
    display.MapScalars = 0


def show_floor(bounds, view):
    low, high = np.array(bounds[::2]), np.array(bounds[1::2])
    middle, half = (low + high) / 2, 40 * max(high - low)
    corners = np.array([[-half, -half, 0], [half, -half, 0], [half, half, 0], [-half, half, 0]])
    corners += (middle[0], middle[1], low[2] - 1e-3 * (high[2] - low[2]))
    grey = [0.93, 0.93, 0.92]
    # Lit evenly: a floor as background.
    floor = soup_to_poly(corners, [(0, 1, 2), (0, 2, 3)])
    show(floor, view, DiffuseColor=grey, AmbientColor=grey, Ambient=1, Diffuse=0)


def look(view, bounds, options):
    low, high = np.array(bounds[::2]), np.array(bounds[1::2])
    middle, radius = (low + high) / 2, np.linalg.norm(high - low) / 2
    a, e = math.radians(options.azimuth), math.radians(options.elevation)
    direction = np.array([math.cos(a) * math.cos(e), math.sin(a) * math.cos(e), math.sin(e)])
    view.CameraFocalPoint = list(middle)
    view.CameraViewUp = [0, 0, 1]
    view.CameraViewAngle = 25
    view.CameraPosition = list(middle + direction * radius / math.sin(math.radians(12.5)) * 0.78)


def main():
    options = read_options()
    blocks, time = open_export(options.xdmf, options.time)
    soups = read_triangles(options.run) if options.run else None
    count = len(blocks["shapes"]["kind"]) if "shapes" in blocks else 0
    if soups is not None and len(soups) != count:
        raise SystemExit(f"{options.run}: not the trajectory of {options.xdmf}")
    view = pv.CreateView("RenderView")
    view.ViewSize = options.size
    view.OrientationAxesVisibility = 0
    view.UseColorPaletteForBackground = 0
    view.Background = [1, 1, 1]
    polys = make_bodies(blocks["shapes"], soups) if count else []
    if options.run and "flexible" in blocks:
        polys += make_solids(blocks["flexible"], read_surfaces(options.run))
    bodies = join(polys)
    bounds = bodies.GetBounds()
    arrows = None
    if options.arrow > 0 and "contacts" in blocks and "force" in blocks["contacts"]:
        contacts = blocks["contacts"]
        forces = sum_pairs(contacts) if options.resultants else (contacts["force"], contacts["position"])
        arrows = make_arrows(*forces, options.arrow * np.linalg.norm(np.ptp(np.reshape(bounds, (3, 2)), axis=1)))
    opacity = options.opacity if options.opacity is not None else 0.45 if arrows else 1
    show_colours(bodies, view, Opacity=opacity, Interpolation="Flat" if soups else "Gouraud")
    if arrows:
        red = [0.75, 0.1, 0.1]
        show(arrows, view, DiffuseColor=red, AmbientColor=red)
    show_floor(bounds, view)
    look(view, bounds, options)
    pv.SaveScreenshot(options.png, view, ImageResolution=options.size)
    print(f"{options.png}: {time:.6g} s, {count} shapes, "
          f"{len(blocks['contacts']['position']) if 'contacts' in blocks else 0} contacts")


main()

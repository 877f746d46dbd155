"""Renders a trajectory with Blender, without a window: a picture (.png, .jpg) of one frame, or a film (.mp4).

    blender -b --factory-startup -P film.py -- RUN.h5 OUT.png [OPTIONS]
"""

import argparse
import math
import sys
from pathlib import Path

import bpy
import numpy as np
from mathutils import Vector

sys.path.insert(0, str(Path(__file__).resolve().parent))
import voussoir_blender as addon  # noqa: E402


def options():
    parser = argparse.ArgumentParser(prog="film.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path, help="trajectory of voussoir")
    parser.add_argument("out", type=Path, help="picture or film")
    parser.add_argument("--colour", choices=[*addon.QUANTITIES, "none"], default="force", help="of the bodies (default: force)")
    parser.add_argument("--maximum", type=float, default=0, help="value of the darkest colour (default: the largest of the run)")
    parser.add_argument("--chains", action="store_true", help="draw force chains")
    parser.add_argument("--opacity", type=float, default=1, help="of the bodies, to see the chains inside (default: 1)")
    parser.add_argument("--speed", type=float, default=1, help="0.1: ten times slower than it was (default: 1)")
    parser.add_argument("--every", type=int, default=1, help="use every N-th frame of the run (default: 1)")
    parser.add_argument("--frame", type=int, help="of a picture (default: the last)")
    parser.add_argument("--size", default="960x540", help="in pixels (default: 960x540)")
    parser.add_argument("--samples", type=int, default=24, help="per pixel (default: 24)")
    parser.add_argument("--azimuth", type=float, default=-60, help="of the camera, degrees (default: -60)")
    parser.add_argument("--elevation", type=float, default=18, help="of the camera, degrees (default: 18)")
    parser.add_argument("--zoom", type=float, default=1, help="larger is closer (default: 1)")
    parser.add_argument("--command", default="voussoir", help="program that reads the trajectory (default: voussoir)")
    return parser.parse_args(sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else ["--help"])


def corners(run):
    """Corners of all dynamic bodies in the first and the last frame; of all bodies if none is dynamic."""
    chosen = [k for k in range(len(run.names)) if run.dynamic[k] or not any(run.dynamic)]
    placed = [
        addon.rotate(run.rotation[t, k], run.surfaces[k].vertices) + run.position[t, k] for k in chosen for t in (0, -1) if run.present[t, k]
    ]
    return np.concatenate(placed)


def point_camera(scene, points, choice):
    lowest, highest = points.min(axis=0), points.max(axis=0)
    middle, radius = Vector((lowest + highest) / 2), float(np.linalg.norm(highest - lowest)) / 2
    azimuth, elevation = math.radians(choice.azimuth), math.radians(choice.elevation)
    toward = Vector((math.cos(elevation) * math.cos(azimuth), math.cos(elevation) * math.sin(azimuth), math.sin(elevation)))
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.data.lens = 50
    half_view = math.atan(18 / 50 * scene.render.resolution_y / scene.render.resolution_x)  # of a sensor of 36 mm
    camera.location = middle + toward * radius / math.sin(half_view) / choice.zoom
    camera.rotation_euler = (-toward).to_track_quat("-Z", "Y").to_euler()
    camera.data.clip_start, camera.data.clip_end = radius / 100, 10 * camera.location.length + 10 * radius
    scene.collection.objects.link(camera)
    scene.camera = camera


def light(scene):
    sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
    sun.data.energy, sun.data.angle = 2.5, 0.1
    sun.rotation_euler = (0.7, 0.2, 0.5)
    scene.collection.objects.link(sun)
    scene.world = scene.world or bpy.data.worlds.new("world")
    scene.world.use_nodes = True
    scene.world.node_tree.nodes["Background"].inputs[0].default_value = (0.85, 0.9, 1, 1)
    scene.world.node_tree.nodes["Background"].inputs[1].default_value = 0.7


def main():
    choice = options()
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    scene = bpy.context.scene
    addon.command = lambda: [choice.command]  # the add-on is not installed here
    run = addon.read_run(choice.run, choice.every)
    addon.show_run(run, choice.run.stem, addon.Show(choice.colour, choice.maximum, choice.chains, choice.opacity, choice.speed))
    scene.render.engine = "CYCLES"
    scene.cycles.device, scene.cycles.samples, scene.cycles.use_denoising = "CPU", choice.samples, False
    scene.view_settings.view_transform = "Standard"
    width, height = (int(text) for text in choice.size.split("x"))
    scene.render.resolution_x, scene.render.resolution_y = width, height
    point_camera(scene, corners(run), choice)
    light(scene)
    scene.render.filepath = str(choice.out.resolve())
    if choice.out.suffix == ".mp4":
        scene.render.image_settings.file_format = "FFMPEG"
        scene.render.ffmpeg.format, scene.render.ffmpeg.codec = "MPEG4", "H264"
        bpy.ops.render.render(animation=True)
    else:
        scene.render.image_settings.file_format = "PNG" if choice.out.suffix == ".png" else "JPEG"
        scene.frame_set(scene.frame_end if choice.frame is None else choice.frame)
        bpy.ops.render.render(write_still=True)


if __name__ == "__main__":
    try:
        main()
    except (addon.VoussoirError, OSError) as error:
        sys.exit(f"film.py: {error}")

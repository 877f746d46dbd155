#!/usr/bin/python3
"""wall.py LENGTH COURSES [--opening]: a scene with a brick wall in running bond, as JSON on standard output.

LENGTH: whole bricks per course; each is 0.5 x 0.25 x 0.2 m, 2000 kg/m^3, mu = 0.6. With --opening a door two bricks wide,
half as high as the wall, under a lintel of four bricks' length. Gravity has the parameters gx, gy, gz: a wall tilted by 30
degrees is `voussoir run wall.json --set gx=4.905 --set gz=-8.495709`.
"""

import argparse
import json

BRICK, THICKNESS, HEIGHT = 0.5, 0.25, 0.2


def pieces(length, course):
    """Left and right end of each brick: odd courses begin and end with half a brick."""
    left, right = -length * BRICK / 2, length * BRICK / 2
    ends = [left] + [left + BRICK * (k + 0.5 * (course % 2)) for k in range(1 - course % 2, length + 1)]
    ends = [x for x in ends if x < right - BRICK / 4] + [right]
    return list(zip(ends, ends[1:]))


def outside(piece, half):
    """The part of a piece beside a door from -half to half; None if it is too small for a stone."""
    left, right = piece
    if right <= -half or left >= half:
        return piece
    kept = (left, -half) if left < -half else (half, right) if right > half else (0, 0)
    return kept if kept[1] - kept[0] > BRICK / 4 else None


def stones(length, courses, opening):
    door = courses // 2 if opening else 0
    for course in range(courses):
        bricks = pieces(length, course)
        if course < door:
            bricks = [piece for piece in (outside(brick, BRICK) for brick in bricks) if piece]
        elif opening and course == door:
            bricks = [piece for piece in (outside(brick, 2 * BRICK) for brick in bricks) if piece] + [(-2 * BRICK, 2 * BRICK)]
        for left, right in sorted(bricks):
            yield {"name": f"course {course}, {left:+.3f} m", "density": 2000,
                   "position": [(left + right) / 2, 0, HEIGHT * (course + 0.5)],
                   "shape": {"kind": "box", "size": [right - left, THICKNESS, HEIGHT]}}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("length", type=int)
    parser.add_argument("courses", type=int)
    parser.add_argument("--opening", action="store_true")
    arguments = parser.parse_args()
    ground = {"name": "ground", "motion": "static", "shape": {"kind": "plane"}}
    print(json.dumps({"voussoir": 1, "name": "wall", "parameters": {"gx": 0, "gy": 0, "gz": -9.81},
                      "gravity": ["$gx", "$gy", "$gz"], "materials": {"stone": {"mu": 0.6}},
                      "bodies": [ground] + list(stones(arguments.length, arguments.courses, arguments.opening)),
                      "output": {"duration": 1}}, indent=1))


if __name__ == "__main__":
    main()

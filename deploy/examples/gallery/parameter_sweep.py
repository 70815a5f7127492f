"""What the Gray-Scott model makes of each pair of feed and kill: a map of 16 by 10 small worlds."""
import ctypes
import pathlib
import sys

from guest import HERE, check, functions, memory, write_rows
from picture import Axes, Picture, png, ramp

ACROSS, DOWN, SIDE, STEPS = 16, 10, 32, 2500
KILL, FEED = (0.0500, 0.0665), (0.022, 0.058)  # of the centres of the first and the last world
LEVELS = 32  # of what is drawn


def places():
    """Feed and kill of each world, from the upper left one on. As f32, which is what worlds count with."""
    def between(ends, part):
        return ctypes.c_float(ends[0] + (ends[1] - ends[0]) * part).value
    return [(between(FEED, 1 - y / (DOWN - 1)), between(KILL, x / (ACROSS - 1))) for y in range(DOWN) for x in range(ACROSS)]


def main(out):
    module, native = functions(HERE / "patterns.c")
    table = write_rows("worlds.csv", ["feed", "kill"], places())
    worlds = memory(module, "pattern", SIDE * SIDE, f"@{table}:feed", f"@{table}:kill", STEPS)
    check(len(worlds) == ACROSS * DOWN * SIDE * SIDE, f"{len(worlds)} bytes are not all worlds")
    native.Pattern.argtypes = [ctypes.c_float, ctypes.c_float, ctypes.c_int32]
    native.Pattern.restype = ctypes.POINTER(ctypes.c_uint8 * (SIDE * SIDE))
    own = b"".join(bytes(native.Pattern(feed, kill, STEPS).contents) for feed, kill in places())
    check(worlds == own, "cells differ from this machine's own build")
    alive = sum(max(worlds[i * SIDE * SIDE:(i + 1) * SIDE * SIDE]) > 60 for i in range(ACROSS * DOWN))
    check(20 < alive < ACROSS * DOWN - 20, f"there is something in {alive} worlds")
    draw(worlds, out)
    print(f"{ACROSS * DOWN} worlds of {STEPS} steps equal to a native build, byte for byte; something lives in {alive}")


def draw(worlds, out):
    picture = Picture(900, 640, "A parameter sweep: what two numbers decide",
                      f"{ACROSS * DOWN} instances of the Gray-Scott model, a torus of {SIDE} x {SIDE} cells each, after {STEPS} steps")
    rows, tile, gap = [], SIDE + 1, bytes([LEVELS])
    for y in range(DOWN * tile):
        row, line = divmod(y, tile)
        parts = [worlds[((row * ACROSS + x) * SIDE + line) * SIDE:][:SIDE] for x in range(ACROSS)]
        rows.append(gap.join(bytes(b >> 3 for b in part) for part in parts) if line < SIDE else gap * (ACROSS * tile - 1))
    palette = ramp([(16, 24, 48), (24, 84, 130), (60, 170, 150), (240, 225, 130), (255, 250, 235)], LEVELS) + [(86, 97, 111)]
    width, height = ACROSS * 50, DOWN * 50
    picture.image(76, 70, width, height, png(rows[:-1], palette))
    half_x, half_y = (KILL[1] - KILL[0]) / (ACROSS - 1) / 2, (FEED[1] - FEED[0]) / (DOWN - 1) / 2
    axes = Axes(picture, (76, 70, width, height), (KILL[0] - half_x, KILL[1] + half_x), (FEED[0] - half_y, FEED[1] + half_y))
    axes.scale_x([0.05, 0.055, 0.06, 0.065], "kill: how fast the second substance is taken away", outside=True)
    axes.scale_y([0.025, 0.03, 0.035, 0.04, 0.045, 0.05, 0.055], "feed: how fast the first one is given", outside=True, room=50)
    picture.write(out)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))

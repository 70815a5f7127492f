"""The Mandelbrot set by deploy/demo/mandelbrot.c, each third row of its pixels."""
import ctypes
import pathlib
import sys

from guest import ROOT, check, functions, memory
from picture import Axes, Picture, png, ramp

STEP, PIXELS, ROW = 3, 1024, 8192  # ROW: bytes of two lines of samples
INSIDE = 0xFFFF
ROWS = range(0, PIXELS, STEP)


def main(out):
    module, native = functions(ROOT / "deploy/demo/mandelbrot.c", 1)
    rows = memory(module, "row", ROW, f"0..{PIXELS}:{STEP}")
    check(len(rows) == len(ROWS) * ROW, f"{len(rows)} bytes are not all rows")
    native.Row.restype = ctypes.POINTER(ctypes.c_uint8 * ROW)
    own = b"".join(bytes(native.Row(y).contents) for y in ROWS)
    check(rows == own, "samples differ from this machine's own build")
    samples = memoryview(rows).cast("H")
    inside = sum(sample == INSIDE for sample in samples) / len(samples)
    area = inside * 2.7 * 2.7
    # The set's area is about 1.5066; points that take more than 1,000 steps to leave count as inside here.
    check(1.49 < area < 1.54, f"its area would be {area:.4f}")
    draw(samples, out)
    print(f"{len(ROWS)} rows equal to a native build, byte for byte; area {area:.4f}")


def draw(samples, out):
    picture = Picture(900, 640, "The Mandelbrot set", f"{len(ROWS)} instances, one for each row of pixels")
    colours = ramp([(10, 20, 60), (30, 90, 170), (180, 225, 240), (250, 220, 130), (200, 100, 30), (60, 20, 50), (10, 20, 60)], 255)
    palette = [(8, 10, 14)] + colours
    image = []
    for i in range(len(ROWS)):
        line = samples[i * ROW // 2:][:2 * PIXELS]
        chosen = line[:2 * PIXELS:2 * STEP]
        image.append(bytes(0 if s == INSIDE else 1 + (s * 2 // 9 + 20) % 255 for s in chosen))
    picture.image(76, 70, 510, 510, png(image, palette))
    axes = Axes(picture, (76, 70, 510, 510), (-2.15, 0.55), (-1.35, 1.35))
    axes.scale_x([-2, -1.5, -1, -0.5, 0, 0.5], "real part", outside=True)
    axes.scale_y([-1, -0.5, 0, 0.5, 1], "imaginary part", outside=True)
    counts = [0] * 30
    for s in samples:
        if s != INSIDE:
            counts[min(29, s // 48)] += 1
    bars = Axes(picture, (670, 70, 200, 510), (0, 0.3), (30, 0))
    bars.scale_x([0, 0.1, 0.2, 0.3], "share of points outside", lambda v: f"{100 * v:.0f} %")
    bars.scale_y([0, 5, 10, 15, 20, 25, 29], "steps until they leave", lambda n: f"{n}+" if n == 29 else str(n), room=40)
    for n, count in enumerate(counts):
        x, y = bars.at(count / sum(counts), n)
        picture.rectangle(670, y + 2, x - 670, 13, "f0")
    picture.write(out)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))

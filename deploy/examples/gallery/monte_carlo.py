"""The volume of balls in 1 to 12 dimensions by random points, and how the error falls with their number."""
import ctypes
import math
import pathlib
import sys

from guest import HERE, check, functions, values, write_rows
from picture import Axes, Picture

STREAMS, SAMPLES = 64, 4000


def volume(dimension):
    return math.pi ** (dimension / 2) / math.gamma(dimension / 2 + 1)


def estimate(dimension, hits, samples):
    """The volume by so many hits, and the error's standard deviation."""
    share = hits / samples
    return 2 ** dimension * share, 2 ** dimension * math.sqrt(max(share * (1 - share), 1 / samples) / samples)


def main(out):
    module, native = functions(HERE / "ball.c")
    rows = [(d, 1000 * d + s) for d in range(1, 13) for s in range(STREAMS)]
    table = write_rows("balls.csv", ["dimension", "seed"], rows)
    hits = values(module, "hits", f"@{table}:dimension", SAMPLES, f"@{table}:seed")
    native.Hits.argtypes = [ctypes.c_int32, ctypes.c_int32, ctypes.c_int64]
    check(hits == [native.Hits(d, SAMPLES, seed) for d, seed in rows], "hits differ from this machine's own build")
    sums = {d: [h for h, row in zip(hits, rows) if row[0] == d] for d in range(1, 13)}
    worst = 0.0
    for d, of in sums.items():
        guess, deviation = estimate(d, sum(of), STREAMS * SAMPLES)
        worst = max(worst, abs(guess - volume(d)) / deviation)
    check(worst < 4, f"an estimate is {worst:.1f} standard deviations from the volume")
    draw(sums, out)
    print(f"{len(rows)} instances equal to a native build; worst of 12 estimates {worst:.2f} standard deviations off")


def draw(sums, out):
    picture = Picture(900, 400, "Monte Carlo: the volume of a ball",
                      f"{12 * STREAMS} instances, each {SAMPLES} random points of a cube; bars are two standard deviations")
    left = Axes(picture, (70, 76, 360, 260), (0.5, 12.5), (0, 6))
    left.scale_x(range(1, 13), "dimensions")
    left.scale_y(range(0, 7), "volume of the ball of radius 1")
    picture.line([left.at(d / 20, volume(d / 20)) for d in range(10, 251)], "l6", 2)
    for d, of in sums.items():
        guess, deviation = estimate(d, sum(of), STREAMS * SAMPLES)
        x, y = left.at(d, guess)
        half = 260 * 2 * deviation / 6
        picture.line([(x, y - half), (x, y + half)], "l0", 2)
        picture.dot(x, y, 3.5, "f0")
    picture.key(252, 98, [(6, "by formula"), (0, "estimate")])
    right = Axes(picture, (520, 76, 350, 260), (SAMPLES * 0.8, STREAMS * SAMPLES * 1.25), (0.0001, 20), "xy")
    right.scale_x([4000, 16000, 64000, 256000], "points", lambda n: f"{n // 1000} k")
    right.scale_y([0.0001, 0.001, 0.01, 0.1, 1, 10], "error of the estimate", room=58)
    for i, d in enumerate((2, 5, 10)):
        for taken in range(1, STREAMS + 1):
            guess, _ = estimate(d, sum(sums[d][:taken]), taken * SAMPLES)
            picture.dot(*right.at(taken * SAMPLES, max(abs(guess - volume(d)), 0.0001)), 2, f"f{i}")
        share = volume(d) / 2 ** d
        wide = [2 ** d * math.sqrt(share * (1 - share) / n) for n in (SAMPLES, STREAMS * SAMPLES)]
        picture.line([right.at(SAMPLES, wide[0]), right.at(STREAMS * SAMPLES, wide[1])], f"l{i}", 1.5)
    picture.key(536, 96, [(2, "10"), (1, "5"), (0, "2 dimensions")], 10)
    picture.text(746, 96, "lines: one deviation", kind="soft")
    picture.write(out)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))

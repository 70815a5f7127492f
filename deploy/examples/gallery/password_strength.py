"""Eight ways to choose a password, and how many guesses each takes."""
import pathlib
import random
import re
import statistics
import string
import sys

from guest import HERE, QUICK, check, program, run
from picture import Axes, Picture

OF_EACH = 30 if QUICK else 100
BIT = 16  # what the program counts in


def words():
    """Those that the guesser knows, out of the program's own table."""
    table = re.search(r"kWords\[\] = \{(.*?)\};", (HERE / "strength.c").read_text(), re.S).group(1)
    return re.findall(r'"(\w+)"', table)


LEET = str.maketrans("aeios", "43105")
PUNCTUATION = "!?*#$%&+-=."


def ways(known, draw):
    """A name for each way, and what makes one such password."""
    some = string.ascii_letters + string.digits + PUNCTUATION
    return {
        "a word": lambda: draw.choice(known),
        "a key row, or 12345": lambda: draw.choice(["qwertyuiop", "asdfghjkl", "1234567890", "zxcvbnm"])[:draw.randint(5, 7)],
        "a word and a year": lambda: draw.choice(known) + str(draw.randint(1960, 2025)),
        "w0rd5 with digits for letters": lambda: draw.choice(known).translate(LEET).capitalize() + draw.choice(PUNCTUATION),
        "Word, digits and !": lambda: draw.choice(known).capitalize() + str(draw.randint(10, 99)) + draw.choice("!?."),
        "8 random small letters": lambda: "".join(draw.choices(string.ascii_lowercase, k=8)),
        "4 random words": lambda: "-".join(draw.sample(known, 4)),
        "12 random characters": lambda: "".join(draw.choices(some, k=12)),
    }


def passwords():
    draw = random.Random(27)
    return {name: [make() for _ in range(OF_EACH)] for name, make in ways(words(), draw).items()}


def main(out):
    module, native = program(HERE / "strength.c")
    groups = passwords()
    all_of_them = [word for group in groups.values() for word in group]
    said = run("wasmburstctl", "-q", "run", module, "--each-line", "--ordered", "--", "{}",
               input="\n".join(all_of_them).encode()).decode().splitlines()
    own = [run(native, word).decode().strip() for word in all_of_them]
    check(said == own, "what is said of a password differs from this machine's own build")
    bits = [int(line.split()[0]) / BIT for line in said]
    of = {name: bits[i * OF_EACH:(i + 1) * OF_EACH] for i, name in enumerate(groups)}
    middles = {name: statistics.median(values) for name, values in of.items()}
    check(middles["a word"] < 7.1, "a word of 120 takes more guesses than there are")
    check(abs(middles["8 random small letters"] - 8 * 4.7) < 1, "8 letters of 26 do not take 26^8 guesses")
    check(middles["a word"] < middles["a word and a year"] < middles["8 random small letters"]
          < middles["4 random words"] < middles["12 random characters"], f"the ways are not in their order: {middles}")
    draw_groups(of, middles, out)
    print(f"{len(bits)} passwords equal to a native build, piece by piece; medians {min(middles.values()):.1f} "
          f"to {max(middles.values()):.1f} bits")


def draw_groups(of, middles, out):
    picture = Picture(900, 520, "Password strength: what a way to choose is worth",
                      f"{OF_EACH * len(of)} instances, one for each password; a bar is as high as many passwords are so strong")
    row = 48
    axes = Axes(picture, (235, 70, 640, row * len(of)), (0, 80), (0, len(of)))
    axes.scale_x(range(0, 81, 10), "bits: how often the number of guesses doubles")
    for i, (name, values) in enumerate(of.items()):
        base = 70 + row * (i + 1) - 8
        picture.text(225, base - 13, name, "end")
        picture.text(225, base + 4, f"median {middles[name]:.0f} bits", "end", "soft")
        places = [round(value * 2) for value in values]
        scale = (row - 14) / max(map(places.count, places))
        for place in sorted(set(places)):
            high = places.count(place) * scale
            picture.rectangle(axes.at(place / 2, 0)[0] - 1.8, base - high, 3.6, high, f"f{i}")
        x = axes.at(middles[name], 0)[0]
        picture.line([(x, base), (x, base + 6)], f"l{i}", 1.5)
        picture.line([(235, base + 6), (875, base + 6)], "grid", 1)
    picture.write(out)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))

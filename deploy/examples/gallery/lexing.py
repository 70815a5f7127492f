"""The tokens of this repository's own C and C++, a file in each instance."""
import pathlib
import re
import shutil
import sys

from guest import HERE, QUICK, ROOT, WORK, check, program, run
from picture import Axes, Picture

KINDS = ["names", "keywords", "numbers", "texts", "characters", "operators", "directives", "comments"]
FOLDERS = ["compiler", "scheduler", "daemon", "client", "tests", "bench", "deploy"]
TAKEN = 10 if QUICK else 1  # of so many files one
ASKED = 12  # files of which clang is asked as well
TOKEN = re.compile(r"^(\w+) '.*?'\t( \[StartOfLine\])?[^\n]*?\tLoc=<[^\n]*>$", re.S | re.M)


def corpus():
    """Its files in one folder, under names that say where they come from."""
    folder = WORK / "corpus"
    folder.mkdir()
    found = [path for top in FOLDERS for path in sorted((ROOT / top).rglob("*"))
             if path.suffix in (".c", ".cc", ".h") and path.is_file() and "node_modules" not in path.parts]
    for path in found[::TAKEN]:
        shutil.copy(path, folder / "__".join(path.relative_to(ROOT).parts))
    return folder


def clangs(path):
    """What clang's own lexer finds: names and keywords as one, and the other kinds."""
    said = run("clang", "-cc1", "-x", "c++", "-std=c++20", "-dump-raw-tokens", path, says="stderr").decode(errors="replace")
    counts, in_directive = [0] * 7, False
    where = {"raw_identifier": 0, "numeric_constant": 1, "char_constant": 3, "comment": 6}
    for token in TOKEN.finditer(said):
        kind, begins_line = token[1], token[2]
        if kind in ("unknown", "eof"):
            continue
        is_directive = kind == "hash" and begins_line
        in_directive = is_directive or (in_directive and not begins_line)
        if is_directive:
            counts[5] += 1
        elif not in_directive:
            counts[where.get(kind, 2 if kind.endswith("string_literal") else 4)] += 1
    return counts


def main(out):
    module, native = program(HERE / "lexer.c")
    folder = corpus()
    files = sorted(path.name for path in folder.iterdir())
    said = run("wasmburstctl", "-q", "run", module, "--each-file", f"{folder}/*", "--stdin-from", "{}", "--ordered").decode()
    lines = said.splitlines()
    own = [run(native, input=(folder / name).read_bytes()).decode().strip() for name in files]
    check(lines == [line.strip() for line in own], "the tokens of a file differ from this machine's own build")
    counts = {name: [int(n) for n in line.split()] for name, line in zip(files, lines)}
    check(all(counts[name][9] == (folder / name).stat().st_size for name in files), "bytes are missing")
    for name in files[::len(files) // ASKED]:
        names, keywords, *others = counts[name][:8]
        check([names + keywords, *others] == clangs(folder / name), f"clang finds other tokens in {name}")
    sums = {top: [sum(counts[name][i] for name in files if name.startswith(f"{top}__")) for i in range(8)] for top in FOLDERS}
    draw(sums, len(files), sum(row[9] for row in counts.values()), out)
    print(f"{len(files)} files, {sum(map(sum, sums.values()))} tokens equal to a native build, and to clang's in {ASKED} files")


def draw(sums, files, size, out):
    picture = Picture(900, 430, "Lexing a corpus: what this repository is written in",
                      f"{files} instances, one for each of its files of C and C++, {size / 1e6:.1f} MB together")
    most = max(sum(row) for row in sums.values()) / 1000
    end = 100 * (int(most / 100) + 1)
    row = 38
    axes = Axes(picture, (100, 100, 770, row * len(sums)), (0, end), (0, 1))
    axes.scale_x(range(0, end + 1, 50 if end <= 500 else 100), "thousand tokens")
    for i, (top, counts) in enumerate(sums.items()):
        y = 100 + row * i + 6
        picture.text(92, y + 18, top, "end")
        before = 0
        for kind, count in enumerate(counts):
            left, right = axes.at(before / 1000, 0)[0], axes.at((before + count) / 1000, 0)[0]
            picture.rectangle(left, y, max(right - left, 0), row - 12, f"f{kind}")
            before += count
    picture.key(100, 84, list(enumerate(KINDS)))
    picture.write(out)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))

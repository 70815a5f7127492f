"""The 256 elementary cellular automata: a program for ARM64 Linux, on an emulated core in each lane."""
import json
import pathlib
import sys

from guest import HERE, ROOT, WORK, check, run
from picture import Picture, png

CELLS, ROWS, RULES = 63, 32, 256


def expected(rule):
    """What the rule makes, by numbers of Python."""
    now, lines = 1 << CELLS // 2, []
    for _ in range(ROWS):
        lines.append(bin(now | 1 << CELLS)[3:].replace("1", "#").replace("0", "."))
        wide = now << 1  # with a dead cell at each end
        now = sum((rule >> (wide >> i & 7) & 1) << i for i in range(CELLS))
    return "\n".join(lines) + "\n"


def main(out):
    emulator, guest = WORK / "arm64.wasm", WORK / "automaton.arm64"
    run("clang", "--target=wasm32-wasi", "-O2", "-Wl,-s,--initial-memory=524288", "-o", emulator,
        *sorted((ROOT / "deploy/examples/arm64").glob("*.c")))
    run("aarch64-linux-gnu-gcc", "-O2", "-static", "-o", guest, HERE / "automaton.c")
    said = run("wasmburstctl", "-q", "run", emulator, "-n", RULES, "--file", f"p={guest}", "--ordered", "-o", "jsonl", "--",
               "-m", "2", "p", "{}").decode()
    rows = [json.loads(line) for line in said.splitlines()]
    check(len(rows) == RULES, f"{len(rows)} lanes are not all")
    pictures = [row["outputs"]["stdout"]["text"] for row in rows]
    for rule, text in enumerate(pictures):
        check(text == expected(rule), f"rule {rule} makes something else than it should")
    draw(pictures, out)
    print(f"{RULES} lanes of ARM64 print what they should, {sum(map(len, pictures))} bytes")


def draw(pictures, out):
    across = 16
    down = RULES // across
    wide, high = CELLS + 3, ROWS + 3
    rows = [bytearray(across * wide + 3) for _ in range(down * high + 3)]
    for rule, text in enumerate(pictures):
        left, top = rule % across * wide + 3, rule // across * high + 3
        for y, line in enumerate(text.splitlines()):
            rows[top + y][left:left + CELLS] = bytes(1 + (cell == "#") for cell in line)
    palette = [(86, 97, 111), (246, 248, 251), (24, 60, 120)]
    picture = Picture(len(rows[0]) + 80, len(rows) + 120, "ARM64 lanes: 256 cores, a rule each",
                      "256 instances run one program for ARM64 Linux; it makes the elementary cellular automaton of its number")
    picture.image(60, 88, len(rows[0]), len(rows), png([bytes(row) for row in rows], palette))
    for i in range(across):
        picture.text(63 + i * wide + CELLS / 2, 80, f"+{i}", "middle", "soft")
        picture.text(52, 88 + i * high + high / 2 + 6, str(i * across), "end", "soft")
    picture.write(out)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))

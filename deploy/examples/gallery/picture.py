"""Pictures as SVG: axes, points, lines, bars and images of pixels. Their colours follow the reader's theme."""
import base64
import math
import struct
import zlib
from xml.sax.saxutils import escape

# Of series 0 to 7, told apart by eyes that see fewer colours too: light ground, dark ground.
SERIES = [("#1f6feb", "#5b9dff"), ("#b36b00", "#e0a040"), ("#1a8a4a", "#43b873"), ("#c62f3e", "#f0707c"),
          ("#7a4fd0", "#a98bf0"), ("#0e7c86", "#3fc1cb"), ("#7d8590", "#9aa4b2"), ("#a3488f", "#e08bd0")]
STYLE = """
text { font: 13px system-ui, "DejaVu Sans", sans-serif; fill: #1c2430; }
.title { font-size: 18px; font-weight: 600; } .soft { fill: #586374; } .ground { fill: #ffffff; }
.axis { stroke: #aab3c0; stroke-width: 1; } .grid { stroke: #e4e8ee; stroke-width: 1; } path { fill: none; }
image { image-rendering: pixelated; }
"""
DARK = """
text { fill: #e4e9f0; } .soft { fill: #a3afc0; } .ground { fill: #141a22; } .axis { stroke: #56616f; } .grid { stroke: #2a3442; }
"""


def styles():
    light = "".join(f".f{i} {{ fill: {c}; }} .l{i} {{ stroke: {c}; }}\n" for i, (c, _) in enumerate(SERIES))
    dark = "".join(f".f{i} {{ fill: {c}; }} .l{i} {{ stroke: {c}; }}\n" for i, (_, c) in enumerate(SERIES))
    return f"{STYLE}{light}@media (prefers-color-scheme: dark) {{{DARK}{dark}}}"


def png(rows, palette):
    """Bytes of a PNG: `rows` are equally long bytes, each a place in `palette`, a list of (red, green, blue)."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 3, 0, 0, 0)
    packed = zlib.compress(b"".join(b"\0" + row for row in rows), 9)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"PLTE", bytes(sum(palette, ())))
            + chunk(b"IDAT", packed) + chunk(b"IEND", b""))


def ramp(colours, steps):
    """`steps` colours (at least 2), evenly between the given ones."""
    made = []
    for i in range(steps):
        at = i * (len(colours) - 1) / (steps - 1)
        k = min(int(at), len(colours) - 2)
        made.append(tuple(round(a + (at - k) * (b - a)) for a, b in zip(colours[k], colours[k + 1])))
    return made


class Picture:
    def __init__(self, width, height, title, words):
        self.width, self.height, self.title, self.words = width, height, title, words
        self.parts = []
        self.text(20, 30, title, kind="title")
        self.text(20, 50, words, kind="soft")

    def text(self, x, y, words, anchor="start", kind="", turn=0):
        turned = f' transform="rotate({turn} {x:.1f} {y:.1f})"' if turn else ""
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{kind}"{turned}>{escape(words)}</text>')

    def line(self, points, kind, width=1.5):
        places = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(f'<path class="{kind}" stroke-width="{width}" d="M{places}"/>')

    def rectangle(self, x, y, width, height, kind):
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" class="{kind}"/>')

    def dot(self, x, y, radius, kind):
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" class="{kind}"/>')

    def image(self, x, y, width, height, data):
        coded = base64.b64encode(data).decode()
        self.parts.append(f'<image x="{x}" y="{y}" width="{width}" height="{height}" preserveAspectRatio="none" '
                          f'href="data:image/png;base64,{coded}"/>')

    def key(self, x, y, names, gap=16):
        """Names of series, in a row; their widths are guessed."""
        for i, name in names:
            self.rectangle(x, y - 10, 11, 11, f"f{i}")
            self.text(x + 16, y, name)
            x += 16 + 7.1 * len(name) + gap

    def write(self, path):
        body = "\n".join(self.parts)
        path.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
                        f'width="{self.width}" height="{self.height}" role="img">\n'
                        f"<title>{escape(self.title)}</title><desc>{escape(self.words)}</desc>\n"
                        f"<style>{styles()}</style>\n"
                        f'<rect class="ground" width="100%" height="100%" rx="8"/>\n{body}\n</svg>\n')


class Axes:
    """A box of a picture with scales. `logarithmic` names those of "x" and "y" that are so."""

    def __init__(self, picture, box, x, y, logarithmic=""):
        self.picture, self.box, self.logarithmic = picture, box, logarithmic
        self.ranges = {"x": x, "y": y}

    def part(self, name, value):
        low, high = self.ranges[name]
        if name in self.logarithmic:
            low, high, value = math.log10(low), math.log10(high), math.log10(value)
        return (value - low) / (high - low)

    def at(self, x, y):
        left, top, width, height = self.box
        return left + width * self.part("x", x), top + height * (1 - self.part("y", y))

    # Lines through the box; `outside`: short ones before it, where there is an image.
    def scale_x(self, marks, label, say=lambda mark: f"{mark:g}", outside=False):
        left, top, width, height = self.box
        for mark in marks:
            x = left + width * self.part("x", mark)
            if outside:
                self.picture.line([(x, top + height), (x, top + height + 5)], "axis", 1)
            else:
                self.picture.line([(x, top), (x, top + height)], "grid", 1)
            self.picture.text(x, top + height + 18, say(mark), "middle", "soft")
        self.picture.line([(left, top + height), (left + width, top + height)], "axis", 1)
        self.picture.text(left + width / 2, top + height + 38, label, "middle")

    def scale_y(self, marks, label, say=lambda mark: f"{mark:g}", outside=False, room=44):
        left, top, width, height = self.box
        for mark in marks:
            y = top + height * (1 - self.part("y", mark))
            if outside:
                self.picture.line([(left - 5, y), (left, y)], "axis", 1)
            else:
                self.picture.line([(left, y), (left + width, y)], "grid", 1)
            self.picture.text(left - 8, y + 4.5, say(mark), "end", "soft")
        self.picture.line([(left, top), (left, top + height)], "axis", 1)
        self.picture.text(left - room, top + height / 2, label, "middle", turn=-90)

"""Guests of the gallery: built for WebAssembly and for this machine, and run by wasmburstctl.

WASMBURST_ADDR says which daemon runs them; WASMBURST_GALLERY_WORK is a folder for what is made. WASMBURST_GALLERY_QUICK
has pictures of much input take less of it."""
import csv
import ctypes
import json
import os
import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
WORK = pathlib.Path(os.environ["WASMBURST_GALLERY_WORK"])
QUICK = bool(os.environ.get("WASMBURST_GALLERY_QUICK"))
# The machine's own build of a guest rounds as WebAssembly does: each operation by itself.
NATIVE = ["-std=c17", "-O2", "-ffp-contract=off"]


def run(*command, says="stdout", **options):
    """What the command prints, to the one or the other. Its failure ends the picture."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    if done.returncode != 0:
        raise SystemExit(f"{command[0]} ended with {done.returncode}: {done.stderr.decode(errors='replace').strip()}")
    return getattr(done, says)


def check(holds, words):
    if not holds:
        raise SystemExit(f"wrong: {words}")


def functions(source, pages=2):
    """A module without a library whose exports are called: its file, and the same as a library of this machine."""
    module, library = WORK / f"{source.stem}.wasm", WORK / f"{source.stem}.so"
    run(ROOT / "deploy/demo/build_wasm.sh", module, source, pages)
    run("clang", *NATIVE, "-Wno-unknown-attributes", "-Wno-ignored-attributes", "-shared", "-fPIC", "-o", library, source)
    return module, ctypes.CDLL(str(library))


def program(source):
    """A program with main: its module, and its build for this machine."""
    module, native = WORK / f"{source.stem}.wasm", WORK / source.stem
    run("clang", "--target=wasm32-wasi", "-O2", "-Wl,--strip-all", "-o", module, source)
    run("clang", *NATIVE, "-o", native, source)
    return module, native


def write_rows(name, header, rows):
    """A table for arguments of instances, a row each."""
    path = WORK / name
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        writer.writerows(rows)
    return path


def values(module, export, *arguments):
    """The result of each instance, in their order."""
    given = [word for argument in arguments for word in ("--arg", argument)]
    said = run("wasmburstctl", "-q", "job", "run", module, "--call", export, *given, "--ordered", "-o", "jsonl").decode()
    rows = [json.loads(line) for line in said.splitlines()]
    check(all(row["end"] == "RETURNED" for row in rows), f"an instance of {export} did not return")
    return [row["values"][0] for row in rows]


def memory(module, export, bytes_each, *arguments):
    """What lies where each instance's result points, all in one row."""
    path = WORK / f"{module.stem}.bytes"
    given = [word for argument in arguments for word in ("--arg", argument)]
    run("wasmburstctl", "-q", "job", "run", module, "--call", export, *given, "--read", f"part={bytes_each}", "--no-results",
        "--concat", f"part={path}")
    return path.read_bytes()

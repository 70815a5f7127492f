"""Runs the code cells of a notebook, and compares what they say with the outputs that it keeps.

python3 notebook.py FILE.ipynb           exit code 1: they differ
python3 notebook.py --write FILE.ipynb   keeps what they say now
"""

import ast
import contextlib
import difflib
import io
import json
import sys
from typing import Any


def run_cell(source: str, names: dict[str, Any]) -> tuple[str, str]:
    """What it prints, and what its last expression shows."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    value = None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    return printed.getvalue(), "" if value is None else repr(value)


def outputs_of(printed: str, shown: str, count: int) -> list[dict[str, Any]]:
    outputs: list[dict[str, Any]] = []
    if printed:
        outputs.append({"name": "stdout", "output_type": "stream", "text": printed.splitlines(keepends=True)})
    if shown:
        outputs.append({
            "data": {"text/plain": shown.splitlines(keepends=True)},
            "execution_count": count,
            "metadata": {},
            "output_type": "execute_result",
        })
    return outputs


def text_of(outputs: list[dict[str, Any]]) -> list[str]:
    lines = []
    for output in outputs:
        text = output.get("text") or output.get("data", {}).get("text/plain", [])
        lines += "".join(text).splitlines()
    return lines


def differences(notebook: dict[str, Any]) -> list[str]:
    """What the cells say now where it is other than what the notebook keeps; which then has the new outputs."""
    names: dict[str, Any] = {"__name__": "__main__"}
    found: list[str] = []
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for count, cell in enumerate(cells, 1):
        now = outputs_of(*run_cell("".join(cell["source"]), names), count)
        found += difflib.unified_diff(
            text_of(cell["outputs"]), text_of(now), f"cell {count}, as kept", f"cell {count}, now", lineterm=""
        )
        cell["outputs"], cell["execution_count"] = now, count
    return found


if __name__ == "__main__":
    with open(sys.argv[-1]) as file:
        notebook = json.load(file)
    found = differences(notebook)
    if sys.argv[1] == "--write":
        with open(sys.argv[-1], "w") as file:
            json.dump(notebook, file, indent=1)
            file.write("\n")
    elif found:
        sys.exit("\n".join(found))

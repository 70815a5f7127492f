"""Makes the stubs of proto/ and the table of advice at the build; neither is kept in the sources.

Our copies of google/rpc are put under wasmburst/rpc, in a package of that name: protobuf takes each name
once in a process, and Google's own package may be there too. On the wire nothing changes.
"""

import atexit
import pathlib
import re
import shutil
import subprocess
import tempfile

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = pathlib.Path(__file__).resolve().parents[2]


def copy_protos(to: pathlib.Path) -> list[str]:
    names = []
    for folder in ("wasmburst/v1", "google/rpc"):
        for source in sorted((ROOT / "proto" / folder).glob("*.proto")):
            name = f"{folder}/{source.name}".replace("google/rpc", "wasmburst/rpc")
            text = source.read_text().replace("google/rpc/", "wasmburst/rpc/")
            text = re.sub(r"\bgoogle\.rpc\b", "wasmburst.rpc", text)
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            (to / name).write_text(text)
            names.append(name)
    return names


def make_stubs(protos: pathlib.Path, to: pathlib.Path) -> None:
    names = copy_protos(protos)
    plugin = shutil.which("grpc_python_plugin")
    if plugin is None or shutil.which("protoc") is None:
        raise SystemExit("wasmburst needs protoc and grpc_python_plugin (Debian: protobuf-compiler-grpc)")
    outputs = [f"--{kind}_out={to}" for kind in ("python", "pyi", "grpc_python")]
    command = ["protoc", f"-I{protos}", f"--plugin=protoc-gen-grpc_python={plugin}", *outputs, *names]
    subprocess.run(command, check=True)
    for folder in ("v1", "rpc"):
        (to / "wasmburst" / folder / "__init__.py").touch()


def advice_table() -> str:
    """What to do about each reason of an error, from the table of the C++ parts."""
    rows = re.findall(
        r'^WB_ERROR\(\w+, ("\w+"), \w+, (".*")\)$',
        (ROOT / "compiler/base/errors.def").read_text(),
        re.MULTILINE,
    )
    lines = [f"    {reason}: {advice}," for reason, advice in rows]
    return "\n".join(["ADVICE: dict[str, str] = {", *lines, "}", ""])


class BuildWithStubs(build_py):
    def run(self) -> None:
        super().run()
        to = pathlib.Path(self.build_lib)
        make_stubs(to.parent / "protos", to)
        (to / "wasmburst/_advice.py").write_text(advice_table())


# Nothing is left in the sources: of modules that are there no more neither.
scratch = tempfile.mkdtemp(prefix="wasmburst_build_")
atexit.register(shutil.rmtree, scratch, ignore_errors=True)
setup(
    cmdclass={"build_py": BuildWithStubs},
    options={"build": {"build_base": scratch}, "egg_info": {"egg_base": scratch}},
)

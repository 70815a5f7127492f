"""Which daemon is meant, and what it is shown: the same variables, files and order as wasmburstctl's."""

from __future__ import annotations

import dataclasses
import ipaddress
import os
import pathlib
import re
import stat
import tomllib
from collections.abc import Mapping

from wasmburst.errors import WasmburstError, invalid

DEFAULT_ADDRESS = "unix:///run/wasmburst/wasmburstd.sock"


@dataclasses.dataclass(frozen=True)
class Endpoint:
    """An address, and files by their paths; an empty text means none."""

    address: str = ""
    token: str = dataclasses.field(default="", repr=False)
    ca: str = ""
    cert: str = ""
    key: str = ""
    server_name: str = ""

    @property
    def is_tls(self) -> bool:
        return self.address.startswith("tls://")

    @property
    def target(self) -> str:
        """What gRPC calls the address."""
        if self.address.startswith("unix:///"):
            return self.address
        host, port = _split(self.address)
        scheme = "ipv6:" if host.startswith("[") else "ipv4:" if _is_ipv4(host) else "dns:///"
        return f"{scheme}{host}:{port}"


def _is_ipv4(host: str) -> bool:
    return re.fullmatch(r"[0-9.]+", host) is not None


def _split(address: str) -> tuple[str, str]:
    found = re.fullmatch(r"(?:tcp|tls)://(\[[^\]]+\]|[^\[\]:/ ]+):([0-9]{1,5})", address)
    if found is None or int(found[2]) > 65535:
        raise invalid(
            f"The address [{address}] is none of unix:///path/to/socket, tcp://host:port and tls://host:port.",
            field="address",
        )
    return found[1], found[2]


def _is_local(address: str) -> bool:
    host = _split(address)[0].strip("[]")
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def token_of_text(text: str, where: str) -> str:
    token = text.strip()
    if not re.fullmatch(r"wbt_[!-~]{0,1020}", token):
        raise invalid(
            f"{where} holds no token: a token is one word that begins with wbt_, "
            "as `wasmburstctl token create` prints it."
        )
    return token


def read_token(path: str) -> str:
    try:
        with open(path, encoding="latin-1") as file:
            mode = os.fstat(file.fileno()).st_mode
            text = file.read(4096)
    except OSError as error:
        raise WasmburstError(
            "IO_ERROR", f"The token file [{path}] cannot be read ({error.strerror}).", {"file": path}
        ) from error
    if stat.S_IMODE(mode) & 0o077:
        raise WasmburstError(
            "IO_ERROR",
            f"The token file [{path}] is open to other users (mode {stat.S_IMODE(mode):04o}). "
            "Make it your own by chmod 600.",
            {"file": path},
        )
    return token_of_text(text, f"The token file [{path}]")


def _contexts_path(environment: Mapping[str, str]) -> pathlib.Path | None:
    home = environment.get("HOME", "")
    folder = environment.get("XDG_CONFIG_HOME") or (home and f"{home}/.config")
    return pathlib.Path(folder, "wasmburst/contexts.toml") if folder else None


def _read_contexts(environment: Mapping[str, str]) -> tuple[str, dict[str, dict[str, str]]]:
    path = _contexts_path(environment)
    if path is None or not path.exists():
        return "", {}
    try:
        table = tomllib.loads(path.read_text())
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise invalid(f"{path}: the contexts cannot be read: {error}.", file=str(path)) from error
    return str(table.get("current", "")), dict(table.get("context", {}))


def _context(name: str, has_address: bool, environment: Mapping[str, str]) -> dict[str, str]:
    """The context whose values are used; an empty one: none."""
    if not name and has_address:
        return {}
    current, contexts = _read_contexts(environment)
    chosen = name or current
    if not chosen:
        return {}
    if chosen not in contexts:
        known = ", ".join(f"[{one}]" for one in sorted(contexts)) or "none"
        raise WasmburstError("NOT_FOUND", f"There is no context [{chosen}]; there are {known}.")
    return contexts[chosen]


def _token(
    token: str, token_file: str, named: bool, context: dict[str, str], environment: Mapping[str, str]
) -> str:
    if token:
        return token_of_text(token, "The token that was given")
    file = token_file or (context.get("token_file", "") if named else "")
    if file:
        return read_token(file)
    if text := environment.get("WASMBURST_TOKEN", ""):
        return token_of_text(text, "The variable WASMBURST_TOKEN")
    file = environment.get("WASMBURST_TOKEN_FILE", "") or context.get("token_file", "")
    return read_token(file) if file else ""


def choose_endpoint(
    address: str = "",
    *,
    context: str = "",
    token: str = "",
    token_file: str = "",
    ca: str = "",
    cert: str = "",
    key: str = "",
    server_name: str = "",
    environment: Mapping[str, str] | None = None,
) -> Endpoint:
    """Arguments go first, then the context that is named, the environment, the context in use, the default.

    A context in use is left aside where an argument or the environment has the address.
    """
    variables = os.environ if environment is None else environment
    variable = variables.get("WASMBURST_ADDR", "")
    values = _context(context, bool(address or variable), variables)
    own_pair = bool(cert or key)
    chosen = Endpoint(
        address=address or values.get("addr", "") or variable or DEFAULT_ADDRESS,
        token=_token(token, token_file, bool(context), values, variables),
        ca=ca or values.get("ca", ""),
        cert=cert if own_pair else values.get("cert", ""),
        key=key if own_pair else values.get("key", ""),
        server_name=server_name or values.get("server_name", ""),
    )
    _check(chosen)
    return chosen


def _check(endpoint: Endpoint) -> None:
    if endpoint.address.startswith("unix:///"):
        is_safe = True
    else:
        is_safe = endpoint.is_tls or _is_local(endpoint.address)
    if endpoint.token and not is_safe:
        raise invalid(
            f"A token is not sent to [{endpoint.address}] in plain text, where others can read it: "
            "give an address tls://host:port."
        )
    if not endpoint.is_tls and (endpoint.ca or endpoint.cert or endpoint.key or endpoint.server_name):
        raise invalid(f"The address [{endpoint.address}] has no TLS, which ca, cert, key and server_name are for.")
    if bool(endpoint.cert) != bool(endpoint.key):
        raise invalid("A client certificate and its key go together: give both cert and key.")

"""What the tests share: the guests and the daemon that deploy/clients_test.sh has started."""

import os
import pathlib
import socket
import tempfile
import threading
import unittest

import wasmburst

GUESTS = pathlib.Path(os.environ["WASMBURST_GUESTS"])
GUEST = GUESTS / "guest.wasm"
CALLER = GUESTS / "caller.wasm"
PROGRAM = GUESTS / "program.wasm"


class DaemonTest(unittest.TestCase):
    def setUp(self) -> None:
        self.client = wasmburst.Client()
        self.addCleanup(self.client.close)

    def cutting_proxy(self, cut_after: int) -> tuple[pathlib.Path, "CuttingProxy"]:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = pathlib.Path(folder.name, "proxy.sock")
        proxy = CuttingProxy(path, self.client.address.removeprefix("unix://"), cut_after)
        self.addCleanup(proxy.close)
        return path, proxy


class CuttingProxy:
    """Passes a Unix socket on, and cuts the connection once after so many bytes of the daemon's."""

    def __init__(self, path: pathlib.Path, to: str, cut_after: int) -> None:
        self.cuts = 0
        self._to = to
        self._left = cut_after
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            far = socket.socket(socket.AF_UNIX)
            far.connect(self._to)
            threading.Thread(target=self._pass_both, args=(near, far), daemon=True).start()

    def _pass_both(self, near: socket.socket, far: socket.socket) -> None:
        back = threading.Thread(target=self._pass, args=(far, near, True), daemon=True)
        with near, far:
            back.start()
            self._pass(near, far, False)
            back.join()

    def _pass(self, source: socket.socket, to: socket.socket, counted: bool) -> None:
        try:
            while data := source.recv(1 << 16):
                if counted and self._left > 0:
                    self._left -= len(data)
                    if self._left <= 0:
                        self.cuts += 1
                        break
                to.sendall(data)
        except OSError:
            pass
        for one in (source, to):
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

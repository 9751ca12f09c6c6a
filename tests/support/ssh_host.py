# SPDX-License-Identifier: Apache-2.0
"""A host on the loopback address: an sshd of its own (package openssh-server), ended with the test, and an `ssh` in a folder
for PATH that uses only the test's configuration. Relay: delays, cuts or freezes a connection."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import threading
import time
from pathlib import Path

SSHD = shutil.which("sshd", path="/usr/sbin:/usr/local/sbin:" + os.environ.get("PATH", "")) or "/usr/sbin/sshd"
SSH = shutil.which("ssh") or "/usr/bin/ssh"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def make_key(path: Path) -> None:
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)], check=True)


class SshHost:
    """The host `far`; its home folder is `home`. ForceCommand stands for a login shell or a banner."""

    def __init__(self, folder: Path, force: str = "") -> None:
        self.folder, self.port, self.home = folder, free_port(), folder / "far-home"
        self.home.mkdir(parents=True)
        self.commands = folder / "commands"
        self.commands.mkdir()
        make_key(folder / "host")
        make_key(folder / "user")
        (folder / "authorized").write_text((folder / "user.pub").read_text())
        if os.getuid() == 0:
            Path("/run/sshd").mkdir(exist_ok=True)
        self.configure(force)
        self.daemon = self.start()
        self.connect_to(self.port)
        wrapper = self.commands / "ssh"
        wrapper.write_text(f'#!/bin/sh\nexec {SSH} -F {folder}/client "$@"\n')
        wrapper.chmod(0o755)

    def configure(self, force: str) -> None:
        settings = [f"ListenAddress 127.0.0.1:{self.port}", f"HostKey {self.folder}/host", f"AuthorizedKeysFile {self.folder}/authorized",
                    f"PidFile {self.folder}/pid", "StrictModes no", "UsePAM no", "PasswordAuthentication no", "MaxStartups 100",
                    "PermitRootLogin yes", f"SetEnv HOME={self.home} XDG_CACHE_HOME={self.home}/.cache PATH=/usr/bin:/bin TMPDIR={self.home}/tmp"]
        settings += [f"ForceCommand {force}"] if force else []
        (self.folder / "server").write_text("\n".join(settings) + "\n")

    def start(self) -> subprocess.Popen:
        with (self.folder / "sshd.log").open("ab") as log:
            daemon = subprocess.Popen([SSHD, "-D", "-e", "-f", str(self.folder / "server")], stderr=log)
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return daemon
            time.sleep(0.02)
        raise RuntimeError((self.folder / "sshd.log").read_text())

    def connect_to(self, port: int, **options: str) -> None:
        """What `far` means in the client's configuration."""
        known = self.folder / "known"
        known.write_text(f"far {(self.folder / 'host.pub').read_text()}")
        settings = {"HostName": "127.0.0.1", "Port": str(port), "HostKeyAlias": "far", "IdentityFile": str(self.folder / "user"), "IdentitiesOnly": "yes",
                    "UserKnownHostsFile": str(known), "GlobalKnownHostsFile": "/dev/null", "StrictHostKeyChecking": "yes", "BatchMode": "yes"} | options
        (self.folder / "client").write_text("Host far\n" + "".join(f"  {name} {value}\n" for name, value in settings.items()))

    def path(self) -> str:
        return f"{self.commands}:{os.environ['PATH']}"

    def end(self) -> None:
        self.daemon.terminate()
        self.daemon.wait()


class Relay:
    """Forwards connections to a port: each byte `delay` seconds later (half a round trip); a connection is cut after
    `cut` bytes from the server, or sends nothing any more after `freeze`."""

    def __init__(self, to: int, delay: float = 0, cut: int | None = None, freeze: int | None = None, cuts: int = 1) -> None:
        self.to, self.delay, self.cut, self.freeze, self.cuts = to, delay, cut, freeze, cuts
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.received = 0
        self.connections = 0
        self.open: list[socket.socket] = []
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            self.connections += 1
            far = socket.create_connection(("127.0.0.1", self.to))
            for end in (near, far):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.open += [near, far]
            limited = self.connections <= self.cuts
            self.forward(near, far, False, False)
            self.forward(far, near, True, limited)

    def forward(self, source: socket.socket, sink: socket.socket, counted: bool, limited: bool) -> None:
        waiting: list[tuple[float, bytes]] = []
        ready = threading.Condition()

        def read() -> None:
            total = 0
            while True:
                try:
                    data = source.recv(65536)
                except OSError:
                    data = b""
                if counted:
                    self.received += len(data)
                if limited and self.freeze is not None and total + len(data) > self.freeze:
                    return
                if limited and self.cut is not None and total + len(data) > self.cut:
                    data = data[: max(0, self.cut - total)]
                    self.put(waiting, ready, data)
                    data = b""
                total += len(data)
                self.put(waiting, ready, data)
                if not data:
                    return

        def write() -> None:
            while True:
                with ready:
                    ready.wait_for(lambda: waiting)
                    due, data = waiting.pop(0)
                time.sleep(max(0.0, due - time.monotonic()))
                try:
                    if not data:
                        for end in (sink, source):
                            end.shutdown(socket.SHUT_RDWR)
                        return
                    sink.sendall(data)
                except OSError:
                    return

        threading.Thread(target=read, daemon=True).start()
        threading.Thread(target=write, daemon=True).start()

    def put(self, waiting: list[tuple[float, bytes]], ready: threading.Condition, data: bytes) -> None:
        with ready:
            waiting.append((time.monotonic() + self.delay, data))
            ready.notify()

    def end(self) -> None:
        self.listener.close()
        for each in self.open:
            each.close()

# SPDX-License-Identifier: Apache-2.0
"""The program, run in forked children of one process (cli_server.cpp)."""

import os
import struct
import subprocess
import tempfile


class CliServer:
    """One run at a time; `run` returns what subprocess.run would, errors and output as bytes. Leaks are found, if the program was built to, where `find_leaks` is true."""

    def __init__(self, program, processor_seconds, clock_seconds, memory):
        self._limits = struct.pack("=III", processor_seconds, clock_seconds, memory >> 20)
        self._folder = tempfile.TemporaryDirectory(prefix="cairn-server-")
        self._answers = [os.path.join(self._folder.name, name) for name in ("out", "errors")]
        self._process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)

    def run(self, command, find_leaks):
        def text(value):
            value = os.fsencode(value)
            return struct.pack("=I", len(value)) + value

        self._process.stdin.write(self._limits + struct.pack("=I", find_leaks) + b"".join(map(text, self._answers))
                                  + struct.pack("=I", len(command)) + b"".join(map(text, command)))
        status = self._process.stdout.read(4)
        if len(status) != 4:
            raise RuntimeError(f"the server ended with {self._process.wait()}")
        contents = []
        for path in self._answers:
            with open(path, "rb") as file:
                contents.append(file.read())
        code = os.waitstatus_to_exitcode(struct.unpack("=i", status)[0])
        return subprocess.CompletedProcess(command, code, *contents)

    def close(self):
        self._process.stdin.close()
        code = self._process.wait()
        self._folder.cleanup()
        return code

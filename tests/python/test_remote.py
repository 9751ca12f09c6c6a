# SPDX-License-Identifier: Apache-2.0
"""`host:/path` in Python, with an sshd of this test on the loopback address."""

from __future__ import annotations

import getpass
import json
import os
import pickle
import subprocess
import sys
import tempfile
import unittest
import warnings
from pathlib import Path

from support import SAMPLE, FolderTest

import cairn
from driver import CLI
from ssh_host import SshHost

CHECKPOINT = SAMPLE / "tiny-llama-a/step-400"


def one_tensor(path: Path, size: int) -> None:
    header = json.dumps({"a": {"dtype": "U8", "shape": [size], "data_offsets": [0, size]}}).encode()
    with path.open("wb") as file:
        file.write(len(header).to_bytes(8, "little") + header)
        file.truncate(8 + len(header) + size)


class Remote(FolderTest):
    @classmethod
    def setUpClass(cls) -> None:
        holder = tempfile.TemporaryDirectory(prefix="cairn-far-")
        cls.addClassCleanup(holder.cleanup)
        cls.host = SshHost(Path(holder.name))
        cls.addClassCleanup(cls.host.end)
        before = os.environ["PATH"]
        cls.addClassCleanup(os.environ.__setitem__, "PATH", before)
        os.environ["PATH"] = f"{cls.host.commands}:{Path(CLI).parent}:{before}"

    def test_tensors_and_documents_are_those_of_the_file(self) -> None:
        here, there = cairn.open(CHECKPOINT), cairn.open(f"far:{CHECKPOINT}")
        self.assertEqual(list(here), list(there))
        for name in here:
            self.assertEqual(here[name].numpy(raw=True).tobytes(), there[name].numpy(raw=True).tobytes(), name)
        self.assertEqual((here.step, here.values), (there.step, there.values))
        self.assertEqual(cairn.hash(CHECKPOINT)["fingerprint"], cairn.hash(f"far:{CHECKPOINT}")["fingerprint"])
        again = pickle.loads(pickle.dumps(there))
        self.assertEqual(list(again), list(here))
        compared = cairn.diff(CHECKPOINT, f"far:{CHECKPOINT}", values=True)
        self.assertEqual((compared["same"], compared["changed"]), (len(here), []))

    def test_what_reads_values_runs_on_the_host(self) -> None:
        far = f"far:{CHECKPOINT}"
        states: list[tuple[str, int, int]] = []
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            there = cairn.stats(far, progress=lambda *state: states.append(state))
        self.assertEqual([str(each.message) for each in seen], ["runs on far"])
        self.assertEqual(json.dumps(there).replace("far:/", "/"), json.dumps(cairn.stats(CHECKPOINT)))
        self.assertTrue(states and states[-1][1] == states[-1][2] > 0, states)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for verb in (cairn.check, cairn.scan, cairn.hash):
                self.assertEqual(json.dumps(verb(far)).replace("far:/", "/"), json.dumps(verb(CHECKPOINT)))
            self.assertEqual(cairn.diff(far, far, values=True)["changed"], [])
            done = cairn.consolidate(far, f"far:{self.folder}/there.safetensors")
            self.assertTrue((Path(self.folder) / "there.safetensors").exists(), done)
            with self.assertRaises(cairn.Error) as raised:
                cairn.hash("far:/nowhere")
        self.assertEqual((raised.exception.code, raised.exception.where.file), ("not-found", "far:/nowhere"))

    def test_what_fails_there_raises_here(self) -> None:
        source, there = Path(self.folder) / "source.safetensors", Path(self.folder) / "there.safetensors"
        one_tensor(source, 16)
        there.write_bytes(b"mine")
        with_port = f"ssh://far:{self.host.port}"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for work, code, file in (
                (lambda: cairn.hash("far:/nowhere"), "not-found", "far:/nowhere"),
                (lambda: cairn.hash(f"{with_port}/nowhere"), "not-found", f"{with_port}/nowhere"),
                (lambda: cairn.stats(f"far:{source}", tensor="none"), "tensor-not-found", None),
                (lambda: cairn.consolidate(f"far:{source}", f"far:{there}"), "output-exists", None),
            ):
                with self.assertRaises(cairn.Error) as raised:
                    work()
                self.assertEqual(raised.exception.code, code, str(raised.exception))
                if file is not None:
                    self.assertEqual(raised.exception.where.file, file)
        self.assertEqual(there.read_bytes(), b"mine")

    def test_what_a_job_wrote_is_there_at_once(self) -> None:
        source, there = Path(self.folder) / "source.safetensors", Path(self.folder) / "made.safetensors"
        one_tensor(source, 16)
        with self.assertRaises(cairn.Error):
            cairn.open(f"far:{there}")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for name in ("a", "other"):
                cairn.consolidate(f"far:{source}", f"far:{there}", rename=None if name == "a" else {"a": name})
                self.assertEqual(list(cairn.open(f"far:{there}")), [name])
                for each in (there, Path(f"{there}.cairn.json")):
                    each.unlink()

    def test_work_that_is_killed_there_is_an_error(self) -> None:
        large = Path(self.folder) / "large.safetensors"
        one_tensor(large, 60_000_000_000) # sparse
        host = SshHost(Path(self.folder) / "killing", 'ulimit -c 0; ulimit -t 2; /bin/sh -c "$SSH_ORIGINAL_COMMAND"')
        self.addCleanup(host.end)
        self.addCleanup(os.environ.__setitem__, "PATH", os.environ["PATH"])
        os.environ["PATH"] = f"{host.commands}:{os.environ['PATH']}"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with self.assertRaises(cairn.Error) as raised:
                cairn.hash(f"{getpass.getuser()}@far:{large}") # a connection of its own
        self.assertEqual(raised.exception.code, "io-error", str(raised.exception))
        self.assertIn("ended without a result", str(raised.exception))

    def test_runs_of_an_experiment(self) -> None:
        def shown(place: str) -> str:
            return json.dumps(cairn.runs(place).table(), default=str).replace("far:/", "/")

        self.assertEqual(shown(f"far:{SAMPLE}"), shown(str(SAMPLE)))

    def test_a_forked_child_has_a_connection_of_its_own(self) -> None:
        there = cairn.open(f"far:{CHECKPOINT}")
        name = next(iter(there))
        expected = there[name].numpy(raw=True).tobytes()
        children = []
        for _ in range(3):
            child = os.fork()
            if child == 0:
                code = 1
                try:
                    code = 0 if there[name].numpy(raw=True).tobytes() == expected else 2
                finally:
                    os._exit(code)
            children.append(child)
            self.assertEqual(there[name].numpy(raw=True).tobytes(), expected)
        self.assertEqual([os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children], [0, 0, 0])
        self.assertEqual(there[name].numpy(raw=True).tobytes(), expected)

    def test_a_child_after_a_second_import(self) -> None:
        program = ("import sys, os, cairn\n"
                   "for name in [name for name in sys.modules if name.split('.')[0] == 'cairn']: del sys.modules[name]\n"
                   "import cairn\n"
                   "child = os.fork()\n"
                   "if child == 0: os._exit(0)\n"
                   "os.waitpid(child, 0)\n")
        subprocess.run([sys.executable, "-c", program], check=True, timeout=60)

    def test_a_host_that_is_not_there(self) -> None:
        with self.assertRaises(cairn.Error) as raised:
            cairn.open("nowhere.invalid:/checkpoint")
        self.assertIn("nowhere.invalid", str(raised.exception))

    def test_nothing_is_written_there(self) -> None:
        with self.assertRaises(cairn.Error) as raised:
            cairn.consolidate(CHECKPOINT, "far:/x.safetensors")
        self.assertEqual(raised.exception.code, "unsupported", str(raised.exception))


if __name__ == "__main__":
    unittest.main()

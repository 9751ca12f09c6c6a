# SPDX-License-Identifier: Apache-2.0
"""`host:/path` in Python, with an sshd of this test on the loopback address."""

from __future__ import annotations

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

# SPDX-License-Identifier: Apache-2.0
"""`convert --for keras|tensorflow` between TensorFlow's checkpoints and Keras' files, loaded by Keras 3: the variables of models and
optimizers bit by bit, and the losses of the next steps. Needs the environment of test_tensorflow.py; without it, skipped.
"""

from __future__ import annotations

import functools
import json
import subprocess
import tempfile
import unittest
from pathlib import Path

import support
from test_tensorflow import PYTHON


@functools.lru_cache(maxsize=1)
def results() -> dict[str, dict[str, str]]:
    if not PYTHON.exists():
        raise unittest.SkipTest(f"no Keras with TensorFlow: {PYTHON} is not there")
    with tempfile.TemporaryDirectory(dir=support.ROOT / "build") as folder:
        done = subprocess.run([PYTHON, support.HERE / "resumed_keras.py", folder, str(support.CLI)], capture_output=True, text=True, timeout=1700)
    if done.returncode != 0:
        raise AssertionError(done.stderr[-3000:])
    return json.loads(done.stdout[done.stdout.index("{"):])


class ResumedKeras(unittest.TestCase):
    # TensorFlow names no layers inside a subclassed model, and does not save the optimizers inside a MultiOptimizer.
    REFUSED = {"blocks": "The layers do not have the same number", "multi": "The optimizers do not have the same number"}

    def test_every_program_continues(self) -> None:
        self.assertGreater(len(results()), 20)
        for name, ways in results().items():
            for way, found in ways.items():
                with self.subTest(f"{name}, {way}"):
                    if name in self.REFUSED and way != "keras to keras":
                        self.assertRegex(found, f"^exit 1: .*{self.REFUSED[name]}")
                    else:
                        self.assertEqual(found, "equal")


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""Bundles of every family and packing compute the same in transformers 5 and in 4.57: logits bit by bit, nothing missing, nothing unexpected."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import unittest
from pathlib import Path

from deepspeed_families import saves
from support import ROOT
from test_expected import Packings, built

OLD = Path(os.environ.get("CAIRN_TRANSFORMERS4_PYTHON", ROOT / "build" / "venv-transformers4" / "bin" / "python"))

# Their config, as transformers 5 saves it, has fields under other names (num_local_experts) than 4.57 reads.
NOT_IN_4 = {"Qwen3MoeForCausalLM": "not even the reference: RuntimeError"}


def differences(python: Path, pairs: list[tuple[str, str]]) -> tuple[str, list[str]]:
    done = subprocess.run([python, Path(__file__).with_name("serving_oracle.py")], input=json.dumps(pairs), capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        raise AssertionError(done.stderr[-2000:])
    answer = json.loads(done.stdout.splitlines()[-1])
    return answer["version"], answer["differences"]


@unittest.skipUnless(OLD.exists(), f"no environment with transformers 4 at {OLD}")
class Serving(Packings):
    def each(self, name: str) -> None:
        model = built(name)
        model.config.architectures = None
        reference = self.folder / "reference"
        model.save_pretrained(reference)
        names, pairs = [], []
        for packing, source in (self.packed(model) | saves(name)).items():
            output, answer = self.bundle(source)
            self.assertEqual(answer.code, 0, (packing, answer.said()))
            names.append(packing)
            pairs.append((str(reference), str(output)))
        for python, expected in ((Path(sys.executable), "5."), (OLD, "4.")):
            version, found = differences(python, pairs)
            self.assertTrue(version.startswith(expected), version)
            for packing, text in zip(names, found, strict=True):
                with self.subTest(packing=packing, transformers=version):
                    self.assertEqual(text, NOT_IN_4.get(name, "") if python == OLD else "")


del Packings  # whose tests are run by test_expected.py

if __name__ == "__main__":
    unittest.main(verbosity=2)

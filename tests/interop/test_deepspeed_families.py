# SPDX-License-Identifier: Apache-2.0
"""What DeepSpeed saves of each family (deepspeed_families.py) becomes a folder that loads as the trained model.

Skipped if it was not made: DeepSpeed needs a separate environment (requirements-deepspeed.txt).
"""

from __future__ import annotations

import unittest

from deepspeed_families import DATA, STAGES, saves
from test_expected import FAMILIES, Case, built


@unittest.skipUnless(saves("LlamaForCausalLM"), f"DeepSpeed saves of families are missing in {DATA}")
class DeepSpeedFamilies(Case):
    def each(self, name: str) -> None:
        model = built(name)
        made = saves(name)
        self.assertEqual(len(made), len(STAGES), f"not all were made: {sorted(made)}")
        for packing, path in made.items():
            with self.subTest(packing=packing):
                self.assertTrue(self.check(model, path), getattr(self, "refusal", ""))
                rank = min(path.rglob("*optim_states.pt"))
                content = rank.read_bytes()
                rank.unlink()  # a rank is missing: refused, whatever the family
                try:
                    output, answer = self.bundle(path)
                    self.assertNotEqual(answer.code, 0)
                    self.assertFalse(output.exists())
                finally:
                    rank.write_bytes(content)


for each in FAMILIES:
    setattr(DeepSpeedFamilies, f"test_{each}", lambda self, name=each: self.each(name))

if __name__ == "__main__":
    unittest.main()

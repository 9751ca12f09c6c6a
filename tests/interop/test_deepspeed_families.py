# SPDX-License-Identifier: Apache-2.0
"""What DeepSpeed saves of each family (deepspeed_families.py) becomes a folder that loads as the trained model.

Skipped if it was not made: DeepSpeed needs a separate environment (requirements-deepspeed.txt).
"""

from __future__ import annotations

import unittest

import torch
from deepspeed_families import DATA, MODELS, STAGES, TIED, model_of, saves
from safetensors.torch import load_file
from test_expected import Case


@unittest.skipUnless(saves("LlamaForCausalLM"), f"DeepSpeed saves of families are missing in {DATA}")
class DeepSpeedFamilies(Case):
    def each(self, name: str) -> None:
        model = model_of(name)
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

    def test_a_tied_head(self) -> None:
        """DeepSpeed saves one tensor and says of which the other one is: the head is not written, or written as a copy if the config unties them."""
        model = model_of(TIED)
        for packing, path in saves(TIED).items():
            with self.subTest(packing=packing):
                output, answer = self.bundle(path)
                self.assertEqual(answer.code, 0, answer.said())
                found = load_file(output / "model.safetensors")
                self.assertNotIn("lm_head.weight", found)
                like = self.folder / f"untied-{packing}"
                model.config.tie_word_embeddings = False
                model.config.save_pretrained(like)
                model.config.tie_word_embeddings = True
                output, answer = self.bundle(path, "--like", like)
                self.assertEqual(answer.code, 0, answer.said())
                found = load_file(output / "model.safetensors")
                self.assertTrue(torch.equal(found["lm_head.weight"], found["model.embed_tokens.weight"]))
                self.assertTrue(torch.equal(found["lm_head.weight"], model.lm_head.weight))


for each in MODELS:
    setattr(DeepSpeedFamilies, f"test_{each}", lambda self, name=each: self.each(name))

if __name__ == "__main__":
    unittest.main()

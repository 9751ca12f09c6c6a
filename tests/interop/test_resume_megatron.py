# SPDX-License-Identifier: Apache-2.0
"""`convert --for megatron` and back: trainings of transformers' models and of megatron-core go on in each other. megatron-core itself loads
what was written, at one and two tensor-parallel ranks, and stores it again: every tensor bit for bit; its own groups, steps and the losses
of the next steps are those of the training that went on where it was."""

from __future__ import annotations

import os
import subprocess
import unittest
from pathlib import Path

import torch

from resumed_families import CONFIGS, DECAY, LR, MASTERS, MORE, STEPS, Loop, ToMegatron, fused, stored
from support import HERE, ROOT

PYTHON = Path(os.environ.get("CAIRN_MEGATRON_PYTHON", ROOT / "build" / "venv-megatron" / "bin" / "python"))
LOSS = 2e-6  # relative: the two programs sum in another order


@unittest.skipUnless(PYTHON.exists(), "no megatron-core here")
class Megatron(ToMegatron):
    def near(self, losses: list[float], expected: list[float]) -> None:
        self.assertEqual(len(losses), MORE)
        for own, other in zip(losses, expected):
            self.assertLess(abs(own - other) / other, LOSS, f"{losses} and {expected}")

    def engine(self, what: str, folder: Path, family: str, ranks: int = 1, vocabulary: int = 64, kind: str = "fp32") -> dict:
        (self.folder / f"{what}-{ranks}").mkdir()
        result = self.folder / f"{what}-{ranks}" / "found.pt"
        done = subprocess.run([PYTHON, HERE / "resumed_megatron.py", what, folder, family, str(ranks), str(vocabulary), kind, result],
                              capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        return torch.load(result, weights_only=False)

    def there(self, family: str, ranks: int) -> None:
        loop, output = self.to_megatron(family)
        found = self.engine("load", output, family, ranks)
        self.same(stored(self.folder / f"load-{ranks}" / "again"), {name: tensor for name, tensor in stored(output).items() if not name.startswith(MASTERS)})
        self.assertEqual(found["steps"], [float(STEPS)])
        for group in found["groups"]:
            self.assertEqual((group["lr"], tuple(group["betas"]), group["eps"], group["weight_decay"]), (LR, (0.9, 0.95), 1e-8, DECAY * group["wd_mult"]))
        self.near(found["losses"], loop.train(STEPS, MORE))

    def back(self, family: str, ranks: int) -> None:
        source = self.folder / "megatron"
        found = self.engine("save", source, family, ranks)
        answer, output = self.convert(source, "torch", *self.like(family))
        self.assertEqual(answer.code, 0, answer.said())
        self.assertEqual({each["id"] for each in answer.json["training_state"]["lost"]}, {"rng", "data", "schedule"})
        loop = Loop(family)
        loop.load(output)
        tensors = {name: tensor for name, tensor in stored(source).items() if "fp32_param" not in name}
        own = {}
        for key, place in (("model", ""), ("exp_avg", "optimizer.state.exp_avg."), ("exp_avg_sq", "optimizer.state.exp_avg_sq.")):
            mine = {name.removeprefix(f"{key}."): tensor for name, tensor in loop.tensors().items() if name.startswith(f"{key}.")}
            own |= {place + name: tensor for name, tensor in fused(loop.config, mine).items()}
        self.same(own, tensors)
        self.assertEqual({float(value) for name, value in loop.tensors().items() if name.startswith("step.")}, {float(STEPS)})
        self.near(loop.train(STEPS, MORE), found["losses"])


    def test_masters_there(self) -> None:
        """16-bit parameters: the masters are the source's parameters, and what is computed with is rounded from them."""
        loop, output = self.to_megatron("llama")
        self.engine("load", output, "llama", 2, 64, "bf16")
        again, made = stored(self.folder / "load-2" / "again"), stored(output)
        self.same(again, {name: tensor if "optimizer" in name else tensor.bfloat16() for name, tensor in made.items() if not name.startswith(MASTERS[1])})

    def test_masters_back(self) -> None:
        source = self.folder / "megatron"
        self.engine("save", source, "llama", 1, 64, "bf16")
        answer, output = self.convert(source, "torch")
        self.assertEqual(answer.code, 0, answer.said())
        loop = Loop("llama")
        loop.load(output)
        masters = {name.removeprefix("model."): tensor for name, tensor in loop.tensors().items() if name.startswith("model.")}
        made = {name.removeprefix("optimizer.state.fp32_param."): tensor for name, tensor in stored(source).items() if "fp32_param" in name}
        self.same(fused(loop.config, masters), made)
        self.assertTrue(any(not torch.equal(tensor, tensor.bfloat16().float()) for tensor in made.values()))

    def test_padded_vocabulary(self) -> None:
        """Other numbers of rows: megatron-core fills them with zeros, and what it saves comes back without them."""
        loop, output = self.to_megatron("llama")
        self.engine("load", output, "llama", 2, 72)
        again = stored(self.folder / "load-2" / "again")
        for name in ("embedding.word_embeddings.weight", "output_layer.weight", "optimizer.state.exp_avg.output_layer.weight"):
            self.assertEqual((len(again[name]), again[name][64:].abs().max().item()), (72, 0.0))
        answer, file = self.convert(self.folder / "load-2" / "again", "torch")
        self.assertEqual(answer.code, 0, answer.said())
        other = Loop("llama")
        other.load(file)
        self.same(other.tensors(), loop.tensors())


for family in CONFIGS:
    for ranks in (1, 2):
        if ranks == 1 or family in ("llama", "gpt2"):
            setattr(Megatron, f"test_{family}_there_{ranks}", lambda self, family=family, ranks=ranks: self.there(family, ranks))
            setattr(Megatron, f"test_{family}_back_{ranks}", lambda self, family=family, ranks=ranks: self.back(family, ranks))

if __name__ == "__main__":
    unittest.main()

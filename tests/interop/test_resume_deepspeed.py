# SPDX-License-Identifier: Apache-2.0
"""`convert --for deepspeed`: DeepSpeed loads the universal checkpoint with other ranks and every ZeRO stage that reads it; its own masters
and moments are then those of the source, bit by bit, and so are the losses of the next steps."""

from __future__ import annotations

import os
import subprocess
import unittest
from pathlib import Path

import torch

from resumed_trainings import Training, same
from support import HERE, ROOT, run
from test_resume import NAMES, Moves

PYTHON = Path(os.environ.get("CAIRN_DEEPSPEED_PYTHON", ROOT / "build" / "venv-ds" / "bin" / "python"))


@unittest.skipUnless(PYTHON.exists(), "no DeepSpeed here")
class DeepSpeed(Moves):
    def convert(self, path: Path, *options: str):
        output = self.folder / "universal"
        return run("convert", path, "--for", "deepspeed", "-o", output, "--json", *options), output

    def engine(self, what: str, folder: Path, kind: str, spare: str, ranks: int, stage: int) -> dict:
        result = self.folder / "found.pt"
        subprocess.run([PYTHON, HERE / "resumed_deepspeed.py", what, folder, str(ranks), str(stage), kind, spare, result],
                       check=True, stdout=subprocess.DEVNULL, timeout=300)
        return torch.load(result, weights_only=False)

    def leave(self, kind: str, ranks: int, stage: int) -> None:
        """From what DeepSpeed saves to other trainers. In fp32 its flat partitions have the arithmetic of the loop."""
        source = self.folder / "zero"
        found = self.engine("save", source, kind, "frozen", ranks, stage)
        training = Training(kind, spare="frozen")
        for target in ("torch", "fsdp2", "lightning", "trainer", "accelerate", "deepspeed"):
            output = self.folder / f"left-{target}{Path(NAMES.get(target, '')).suffix}"
            answer = run("convert", source, "--for", target, "-o", output, "--json")
            self.assertEqual(answer.code, 0, answer.errors)
            if target == "deepspeed":
                loaded = self.engine("load", output, kind, "frozen", 3 - ranks, 1)
                state, losses = loaded["state"], loaded["losses"]
            else:
                state, losses = getattr(training, f"load_{target}")(output)
            for key, value in training.state.items():
                if key.startswith(("model.", "state.")) and key in state:
                    self.assertTrue(same(state[key], value), f"{target}: {key} is {state.get(key)} instead of {value}")
            moments = {key for key in training.state if key.startswith("state.") and not key.endswith(".step")}
            self.assertLessEqual(moments, set(state), target)
            self.assertLess(max(abs(own - other) for own, other in zip(losses, found["losses"])), 1e-6, target)

    def move(self, kind: str, source: str, spare: str, ranks: int, stage: int) -> None:
        training = Training(kind, spare={"none": False}.get(spare, spare))
        answer, output = self.convert(self.save(training, source))
        self.assertEqual(answer.code, 0, answer.errors)
        found = self.engine("load", output, kind, spare, ranks, stage)
        state = found["state"]
        steps = {value.item() for key, value in training.state.items() if key.endswith(".step")}
        self.assertEqual({float(step) for step in state.pop("steps") if step is not None}, steps)
        frozen = {f"model.{name}" for name, parameter in training.parts[0].named_parameters() if not parameter.requires_grad}
        for key, value in training.state.items():
            if key.endswith((".step", ".params", ".param_names", "model.head.weight")) or key in frozen:
                continue  # tied to the embedding, or without a master
            self.assertTrue(same(state.pop(key), value), key)
        self.assertFalse([key for key in state if key.startswith("state.")])
        expected = training.continued()
        self.assertLess(max(abs(own - other) for own, other in zip(found["losses"], expected)), 1e-6)
        lost = {each["id"] for each in answer.json["training_state"]["lost"]}
        tied = source == "fsdp2"  # which stores the tied head a second time
        self.assertEqual("unread" in lost, spare == "frozen" or tied)

    def refused(self, change, text: str, **options) -> None:
        path = self.save(Training(**options), "torch")
        saved = torch.load(path, weights_only=True)
        change(saved, saved["optimizer_state_dict"]["state"])
        torch.save(saved, path)
        answer, output = self.convert(path)
        self.assertNotEqual(answer.code, 0)
        self.assertIn(text, answer.errors)
        self.assertFalse(output.exists())

    def test_what_its_loader_would_lose(self) -> None:
        self.refused(lambda _, states: states.pop(1), "the moments of all parameters", spare=False)
        self.refused(lambda _, states: states[1].update(step=torch.tensor(3.0)), "one step for all parameters", spare=False)
        self.refused(lambda _, states: states[1].pop("exp_avg_sq"), "the same states", spare=False)
        self.refused(lambda saved, _: saved.pop("global_step"), "records none", spare=False)
        self.refused(lambda saved, _: saved["model_state_dict"].update({"fc.weight": saved["model_state_dict"]["fc.weight"].half()}),
                     "no fp32 master", spare=False)

    def test_its_own_reader(self) -> None:
        training = Training(spare="frozen")
        answer, output = self.convert(self.save(training, "torch"))
        self.assertEqual(answer.code, 0, answer.errors)
        self.assertEqual(run("check", output, "--json").json["verdict"], "healthy")
        out = self.folder / "weights.pt"
        self.assertEqual(run("consolidate", output, "-o", out, "--only", "weights", "--to", "torch").code, 0)
        weights = torch.load(out)
        for name, value in training.parts[0].state_dict().items():
            self.assertTrue(same(weights[name], value), name)


for kind, source, spare, ranks, stage in (("adamw", "torch", "frozen", 1, 1), ("adamw", "fsdp2", "none", 2, 2), ("sgd", "torch", "none", 2, 1),
                                          ("adamw", "lightning", "none", 2, 1)):
    setattr(DeepSpeed, f"test_{kind}_{source}_{ranks}_zero{stage}", lambda self, move=(kind, source, spare, ranks, stage): self.move(*move))
for kind, ranks, stage in (("adamw", 1, 1), ("adamw", 2, 2), ("adamw", 2, 3), ("sgd", 1, 2)):
    setattr(DeepSpeed, f"test_from_zero{stage}_{kind}_{ranks}", lambda self, leave=(kind, ranks, stage): self.leave(*leave))

# SPDX-License-Identifier: Apache-2.0
"""`dupes` on what torch, DCP and safetensors write of the same model, against hashes made with torch."""

from __future__ import annotations

import copy
import hashlib
import os
import unittest
from pathlib import Path

import torch
import torch.distributed.checkpoint as dcp
from safetensors.torch import save_file

from support import run, temporary


def sha256(tensor: torch.Tensor) -> str:
    return hashlib.sha256(tensor.detach().contiguous().view(torch.uint8).numpy().tobytes()).hexdigest()


def network() -> torch.nn.Sequential:
    torch.manual_seed(1)
    return torch.nn.Sequential(torch.nn.Linear(64, 300), torch.nn.Linear(300, 64), torch.nn.LayerNorm(64))


class Dupes(unittest.TestCase):
    def setUp(self) -> None:
        folder = temporary()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def dupes(self, *options: object) -> tuple[dict[str, dict], int]:
        answer = run("dupes", self.folder, *options, "--json")
        self.assertEqual(answer.code, 0, answer.said())
        self.assertEqual(answer.json["notices"], [])
        return {group["sha256"]: group for group in answer.json["groups"]}, answer.json["reclaimable_bytes"]

    def test_one_model_in_three_formats(self) -> None:
        model = network()
        state = model.state_dict()
        save_file(state, self.folder / "model.safetensors")
        torch.save({"model": state}, self.folder / "model.pt")
        dcp.save({"model": state}, checkpoint_id=self.folder / "dcp")
        groups, reclaimable = self.dupes()
        for name, tensor in state.items():
            group = groups[sha256(tensor)]
            places = {(Path(place["path"]).name, place["tensor"]) for place in group["places"]}
            expected = {(self.folder.name, name), ("model.pt", "model." + name), ("dcp", "model." + name)}
            self.assertLessEqual(expected, places)
            self.assertEqual(group["bytes"], tensor.nbytes)
        # LayerNorm's bias is zero: nothing that anybody copied
        zeros = groups[sha256(torch.zeros(64))]
        self.assertTrue(zeros["zeros"])
        self.assertEqual(zeros["reclaimable_bytes"], 0)
        nonzero = sum(tensor.nbytes for tensor in state.values() if tensor.any())
        self.assertEqual(reclaimable, 2 * nonzero)

    def test_average_and_optimizer(self) -> None:
        model = network()
        average = copy.deepcopy(model)
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
        model(torch.randn(8, 64)).square().sum().backward()
        optimizer.step()
        torch.save({"model": model.state_dict(), "ema": average.state_dict(), "optimizer": optimizer.state_dict()}, self.folder / "step-1.pt")
        torch.save({"model": average.state_dict()}, self.folder / "step-0.pt")
        groups, reclaimable = self.dupes("--min-size", "1kB")
        weight = groups[sha256(average[0].weight)]
        self.assertEqual({place["tensor"] for place in weight["places"]}, {"ema.0.weight", "model.0.weight"})
        self.assertEqual(reclaimable, sum(each["reclaimable_bytes"] for each in groups.values()))
        self.assertNotIn(sha256(optimizer.state_dict()["state"][0]["exp_avg"]), groups)

    def test_tied_weights_are_stored_once(self) -> None:
        weight = torch.randn(32, 16)
        torch.save({"embed.weight": weight, "head.weight": weight}, self.folder / "tied.pt")
        groups, reclaimable = self.dupes()
        group = groups[sha256(weight)]
        self.assertEqual([place.get("shared", False) for place in group["places"]], [False, True])
        self.assertEqual(reclaimable, 0)

    def test_copies_and_hard_links(self) -> None:
        save_file(network().state_dict(), self.folder / "a.safetensors")
        os.link(self.folder / "a.safetensors", self.folder / "linked.safetensors")
        self.assertEqual(self.dupes()[1], 0)
        (self.folder / "copy.safetensors").write_bytes((self.folder / "a.safetensors").read_bytes())
        groups, reclaimable = self.dupes()
        content = (self.folder / "a.safetensors").read_bytes()
        group = groups[hashlib.sha256(content).hexdigest()]
        self.assertEqual(group["kind"], "file")
        self.assertEqual(len(group["places"]), 3)
        self.assertEqual(reclaimable, len(content))

    def test_transposed_views_differ(self) -> None:
        square = torch.randn(16, 16)
        torch.save({"w": square, "transposed": square.t(), "negative": -square}, self.folder / "views.pt")
        self.assertEqual(self.dupes()[0], {})


if __name__ == "__main__":
    unittest.main()

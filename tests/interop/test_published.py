# SPDX-License-Identifier: Apache-2.0
"""Names in memory and published names of transformers 5: a bundle has the tensors that save_pretrained writes, bit by bit."""

from __future__ import annotations

import shutil
import unittest
from pathlib import Path

import family_data
import published_names
import torch
import torch.distributed.checkpoint as dcp
from safetensors.torch import load_file

from support import run, temporary

CLASSES = {"MixtralForCausalLM": "mixtral", "DeepseekV3ForCausalLM": "deepseek_v3", "Qwen3MoeForCausalLM": "qwen3_moe", "PhimoeForCausalLM": "phimoe",
           "GraniteMoeForCausalLM": "granitemoe", "ViTForImageClassification": "vit", "GPTNeoXForCausalLM": "gpt_neox",
           "LlavaForConditionalGeneration": "llava", "JambaForCausalLM": "jamba", "Dots1ForCausalLM": "dots1"}


def recorded() -> dict[str, str]:
    """The rules by class, as they are compiled into the program."""
    return {name: rules for (names, _), rules in family_data.read("published_recipes.txt", ("classes", "types")) for name in names.split()}


def packed(model: torch.nn.Module, folder: Path) -> list[Path]:
    """Checkpoints of a model in several forms, each with the config beside it."""
    state = model.state_dict()
    paths = [folder / "dcp" / "step-3", folder / "flat" / "step-3", folder / "wrapped" / "model.pt", folder / "lightning" / "last.ckpt"]
    for path in paths:
        path.parent.mkdir(parents=True)
        model.config.save_pretrained(path.parent)
    dcp.save({"model": state, "step": 3}, checkpoint_id=paths[0])
    dcp.save(state, checkpoint_id=paths[1])
    torch.save({f"module._orig_mod.{name}": tensor for name, tensor in state.items()}, paths[2])
    torch.save({"state_dict": {f"net.{name}": tensor for name, tensor in state.items()}, "pytorch-lightning_version": "2.6.6", "epoch": 1,
                "global_step": 3}, paths[3])
    return paths


class Published(unittest.TestCase):
    def check(self, name: str) -> None:
        torch.manual_seed(1)
        model = published_names.build(CLASSES[name], name)
        model.config.architectures = [name]
        with temporary() as folder:
            folder = Path(folder)
            model.save_pretrained(folder / "published")
            expected = load_file(folder / "published" / "model.safetensors")
            paths = packed(model, folder)
            for ranks, dim in ((3, 0), (2, 1)):  # pieces that the parts of an expert do not respect
                sharded = folder / f"ranks{dim}" / "step-3"
                sharded.parent.mkdir()
                shutil.copy(folder / "dcp" / "config.json", sharded.parent)
                self.assertEqual(run("reshard", paths[0], "-o", sharded, "--to", "dcp", "--ranks", ranks, "--dim", dim).code, 0)
                paths.append(sharded)
            for path in paths:
                with self.subTest(path=path.parent.name):
                    output = folder / f"{path.parent.name}-out"
                    answer = run("consolidate", path, "-o", output, "--bundle", "--force", "--json")
                    self.assertEqual(answer.code, 0, answer.said())
                    found = load_file(output / "model.safetensors")
                    self.assertEqual(sorted(found), sorted(expected))
                    for tensor, value in expected.items():
                        self.assertTrue(torch.equal(found[tensor], value), tensor)

    def test_rules_are_those_of_transformers(self) -> None:
        found, skipped = published_names.collect(set(CLASSES))
        self.assertEqual(skipped, [])
        rules = {name: text for text, models in found.items() for name, _ in models}
        known = recorded()
        self.assertEqual(rules, {name: known[name] for name in CLASSES if name in known})
        self.assertGreater(len(known), 100)

    def test_names_stay_if_asked(self) -> None:
        model = published_names.build("mixtral", "MixtralForCausalLM")
        with temporary() as folder:
            path = packed(model, Path(folder))[0]
            output = Path(folder) / "out"
            self.assertEqual(run("consolidate", path, "-o", output, "--bundle", "--names", "keep", "--force").code, 0)
            self.assertEqual(sorted(load_file(output / "model.safetensors")), sorted(model.state_dict()))

    def test_means_have_published_names(self) -> None:
        """The mean of two checkpoints with names in memory is what save_pretrained writes of the mean."""
        for name in ("MixtralForCausalLM", "ViTForImageClassification", "GPTNeoXForCausalLM", "LlavaForConditionalGeneration"):
            with self.subTest(name=name), temporary() as folder:
                folder = Path(folder)
                torch.manual_seed(1)
                model = published_names.build(CLASSES[name], name).to(torch.bfloat16)
                model.config.architectures = [name]
                states = [{key: (value + torch.randn_like(value) * k if value.is_floating_point() else value) for key, value in model.state_dict().items()}
                          for k in (0, 1)]
                members = []
                for number, state in enumerate(states):
                    members.append(folder / f"run{number}" / "step-3")
                    members[-1].parent.mkdir()
                    model.config.save_pretrained(members[-1].parent)
                    dcp.save({"model": state, "step": 3}, checkpoint_id=members[-1])
                means = {key: ((value.double() + 3 * states[1][key].double()) / 4).to(torch.float32).to(value.dtype)
                         if value.is_floating_point() else value for key, value in states[0].items()}
                model.load_state_dict(means)
                model.save_pretrained(folder / "published")
                expected = load_file(folder / "published" / "model.safetensors")
                for number, extra in enumerate(((), ("--max-shard-size", "50KB"))):
                    output = folder / f"out{number}"
                    answer = run("average", *members, "--weights", "1,3", "-o", output, "--bundle", "--force", "--json", *extra)
                    self.assertEqual(answer.code, 0, answer.said())
                    found = {key: value for file in output.glob("*.safetensors") for key, value in load_file(file).items()}
                    self.assertEqual(sorted(found), sorted(expected))
                    for tensor, value in expected.items():
                        self.assertTrue(torch.equal(found[tensor], value), tensor)
                    proven = run("verify", members[1], output, "--with", members[0], "--json")
                    self.assertEqual((proven.code, len(proven.json["compared"])), (0, len(expected)), proven.said())
                answer = run("average", *members, "-o", folder / "kept", "--bundle", "--force", "--names", "keep", "--json")
                self.assertEqual(answer.code, 0, answer.said())
                self.assertEqual(sorted(load_file(folder / "kept" / "model.safetensors")), sorted(means))

    def test_published_names_are_left_alone(self) -> None:
        model = published_names.build("mixtral", "MixtralForCausalLM")
        with temporary() as folder:
            model.save_pretrained(Path(folder) / "model")
            output = Path(folder) / "out"
            answer = run("consolidate", Path(folder) / "model", "-o", output, "--bundle", "--force", "--json")
            self.assertEqual(answer.code, 0, answer.said())
            expected, found = load_file(Path(folder) / "model" / "model.safetensors"), load_file(output / "model.safetensors")
            self.assertEqual(sorted(found), sorted(expected))


for each in CLASSES:
    setattr(Published, f"test_{each}", lambda self, name=each: self.check(name))

if __name__ == "__main__":
    unittest.main()

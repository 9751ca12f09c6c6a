# SPDX-License-Identifier: Apache-2.0
"""`consolidate`: the frameworks open its output and read the same bits; nothing is written if the output could not be correct."""

from __future__ import annotations

import fnmatch
import functools
import shutil
import unittest
from pathlib import Path

import torch
from safetensors import safe_open

from oracle import Oracle
from support import SAMPLE, Case, case, cases, files_under, per_case, run, temporary
from test_contents import same_value

# dtypes in safetensors (0.8)
SAFETENSORS_DTYPES = {"float64", "float32", "float16", "bfloat16", "int64", "int32", "int16", "int8", "uint8", "uint16", "uint32",
                      "uint64", "bool", "complex64", "float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu", "float8_e4m3fnuz",
                      "float8_e5m2fnuz", "float4_e2m1fn_x2"}

# state of a training loop besides the model
TRAINING = ("optimizer", "rng", "scheduler", "random_states")


def written(answer, out: Path, suffix: str) -> list[Path]:
    found = [path if path.is_absolute() else out.parent / path for path in (Path(entry["path"]) for entry in answer.json["files"])]
    found = [path for path in found if path.suffix == suffix]
    if not all(path.is_file() for path in found) or not found:
        found = [out] if out.is_file() else sorted(out.rglob("*" + suffix))
    return found


def load_safetensors(files: list[Path]) -> tuple[Oracle, dict[str, str]]:
    """Tensors of all files, and the aliases that `save_model`-style metadata records (dropped name -> kept name)."""
    result, aliases = Oracle(), {}
    for file in files:
        with safe_open(file, framework="pt") as opened:
            aliases |= opened.metadata() or {}
            for name in opened.keys():
                result.add(name, opened.get_tensor(name))
    return result, aliases


class Consolidated(unittest.TestCase):
    maxDiff = 2000

    def assert_same_tensors(self, one: Case, found: dict[str, dict], aliases: dict[str, str], left_out: set[str]) -> None:
        rename = one.root_name(found)
        found = {rename.get(name, name): entry for name, entry in found.items()}
        for name in set(one.tensors) - set(found):
            if aliases.get(name) in found:
                found[name] = found[aliases[name]]
        missing = sorted(set(one.tensors) - set(found) - left_out)
        self.assertEqual(missing, [], "tensors missing in the output")
        wrong = {name: (entry, found[name]) for name, entry in one.tensors.items() if name in found and found[name] != entry}
        self.assertEqual(wrong, {}, "wrong bytes, dtype or shape: (expected, written)")
        extra = [name for name in found if name not in one.tensors and not one.is_open(name)]
        self.assertEqual(extra, [], "tensors that the source does not have")


@per_case()
class ToSafetensors(Consolidated):
    def each_to_safetensors(self, one: Case) -> None:
        with temporary() as folder:
            out = Path(folder) / "out.safetensors"
            answer = run("consolidate", one.path, "-o", out, "--to", "safetensors", "--only", "all", "--json")
            beyond = {name for name, entry in one.tensors.items() if entry["dtype"] not in SAFETENSORS_DTYPES}
            if answer.code in (2, 3, 4, 5) and (beyond or one.oracle["opaque"]):
                self.assertEqual(files_under(Path(folder)), [], "refused, but something was written")
                return
            self.assertEqual(answer.code, 0, answer.said())
            if beyond:
                self.assertTrue(any(name in answer.text for name in beyond), "left out without a word: " + answer.text[:500])
            self.assertTrue(answer.json["verified"])
            found, aliases = load_safetensors(written(answer, out, ".safetensors"))
            self.assert_same_tensors(one, found.tensors, aliases, beyond)


@per_case()
class ToTorch(Consolidated):
    def each_to_torch(self, one: Case) -> None:
        with temporary() as folder:
            out = Path(folder) / "out.pt"
            answer = run("consolidate", one.path, "-o", out, "--to", "torch", "--only", "all", "--json")
            if answer.code in (2, 3, 4, 5) and (one.oracle["opaque"] or any(e["dtype"].startswith("q") for e in one.tensors.values())):
                self.assertEqual(files_under(Path(folder)), [], "refused, but something was written")
                return
            self.assertEqual(answer.code, 0, answer.said())
            loaded = torch.load(written(answer, out, ".pt")[0], weights_only=True)
            found = Oracle()
            found.add("", loaded)
            for name, keys in one.oracle.get("told_apart", {}).items():
                found.add(name, functools.reduce(lambda value, key: value[key], keys, loaded))
            self.assert_same_tensors(one, found.tensors, {}, set())
            self.assert_values(one, found)
            if one.path.is_file() and one.name.startswith("torch_") and not one.oracle["opaque"] and "module" not in one.name:
                source = torch.load(one.path, weights_only=False)
                self.assertEqual(skeleton(loaded), skeleton(source), "nested containers and their keys")

    def assert_values(self, one: Case, found: Oracle) -> None:
        dtype_of = {name: entry["dtype"] for name, entry in one.tensors.items()}
        wrong = {name: (value, found.values.get(name, "(missing)")) for name, value in one.values.items()
                 if not one.is_open(name) and not same_value(value, found.values.get(name, "(missing)"), dtype_of.get(name))}
        self.assertEqual(dict(list(wrong.items())[:10]), {}, f"{len(wrong)} values lost or changed: (expected, written)")


def skeleton(value: object) -> object:
    """Containers and keys with their types, and leaves. A tuple may become a list."""
    if isinstance(value, dict):
        return {(type(key).__name__, key): skeleton(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [skeleton(inner) for inner in value]
    return "tensor" if isinstance(value, torch.Tensor) else type(value).__name__


class Options(Consolidated):
    def consolidate(self, source: Path, out: Path, *options: object):
        answer = run("consolidate", source, "-o", out, *options, "--json")
        self.assertEqual(answer.code, 0, answer.said())
        return answer

    def test_what_every_rank_has_of_its_own_is_written(self) -> None:
        one = case("dtensor_verl")
        with temporary() as folder:
            source = Path(folder) / "actor"
            shutil.copytree(one.path, source)
            ranks = len(list(source.glob("model_world_size_*")))
            for rank in range(ranks):
                torch.save({"lr_scheduler": {"last_epoch": 3}, "rng": {"cpu": torch.full((16,), rank, dtype=torch.uint8)}},
                           source / f"extra_state_world_size_{ranks}_rank_{rank}.pt")
            self.consolidate(source, Path(folder) / "dcp", "--to", "dcp", "--only", "all")
            self.consolidate(source, Path(folder) / "out.pt", "--to", "torch", "--only", "all")
            extra = torch.load(Path(folder) / "out.pt", weights_only=True)["extra_state"]
            self.assertEqual(extra["lr_scheduler"], {"last_epoch": 3})
            for rank in range(ranks):
                self.assertEqual(extra[f"rank_{rank}"]["rng.cpu"].tolist(), [rank] * 16)

    def test_only_weights_leaves_the_optimizer(self) -> None:
        for name in ("dcp_fsdp2", "dcp_hsdp", "torch_zip_training", "torch_legacy_training", "lightning_ckpt", "lightning_sharded",
                     "fabric_sharded", "trainer_checkpoint"):
            one = case(name)
            with self.subTest(name), temporary() as folder:
                out = Path(folder) / "out.safetensors"
                answer = self.consolidate(one.path, out, "--to", "safetensors", "--only", "weights")
                found, aliases = load_safetensors(written(answer, out, ".safetensors"))
                prefix = one.oracle["weights"] or ""
                weights = {key for key in one.tensors if key.startswith(prefix) and not key.startswith(TRAINING)}
                # an unknown tensor next to the model (it may be a head) may be included or not
                beside = {key for key in set(one.tensors) - weights if not key.startswith(TRAINING)}
                names = set(found.tensors) | {dropped for dropped, kept in aliases.items() if kept in found.tensors}
                if not weights <= names:
                    weights = {key.removeprefix(prefix) for key in weights}
                self.assertEqual(sorted(weights - names), [], "weights that are missing")
                more = sorted(name for name in names - weights - beside if not one.is_open(name))
                self.assertEqual(more, [], "more than weights")
                wrong = [key for key, entry in found.tensors.items()
                         if not one.is_open(key) and entry != one.tensors.get(key, one.tensors.get(prefix + key))]
                self.assertEqual(wrong, [])

    def test_only_weights_is_one_model(self) -> None:
        for one in cases():
            told = one.oracle.get("roles", {})
            if "model" not in told.values() or one.name == "torch_roles_quantize_dynamic":  # safetensors has no quantised dtypes
                continue
            with self.subTest(one.name), temporary() as folder:
                out = Path(folder) / "out.safetensors"
                answer = self.consolidate(one.path, out, "--to", "safetensors", "--only", "weights")
                found, aliases = load_safetensors(written(answer, out, ".safetensors"))
                names = set(found.tensors) | {dropped for dropped, kept in aliases.items() if kept in found.tensors}
                wanted = {name for name in one.tensors
                          if told[max((start for start in told if name.startswith(start)), key=len)] == "model"}
                self.assertEqual(sorted(names), sorted(wanted))

    def test_only_a_glob(self) -> None:
        one = case("dcp_fsdp2")
        with temporary() as folder:
            out = Path(folder) / "out.safetensors"
            answer = self.consolidate(one.path, out, "--to", "safetensors", "--only", "model.layers.1.*")
            found, _ = load_safetensors(written(answer, out, ".safetensors"))
            self.assertEqual(set(found.tensors), set(fnmatch.filter(one.tensors, "model.layers.1.*")))

    def test_shards_and_their_index(self) -> None:
        one = case("hf_gpt2_one_file")
        with temporary() as folder:
            out = Path(folder) / "out"
            self.consolidate(one.path, out, "--to", "safetensors", "--only", "weights", "--max-shard-size", "8KB")
            files = sorted(out.glob("*.safetensors"))
            self.assertGreater(len(files), 2)
            self.assertTrue((out / "model.safetensors.index.json").is_file(), files_under(out))
            found, _ = load_safetensors(files)
            self.assertEqual(found.tensors, {name: entry for name, entry in one.tensors.items()})

    def test_tied_weights_survive(self) -> None:
        one = case("torch_zip_state_dict")
        with temporary() as folder:
            out = Path(folder) / "out.pt"
            self.consolidate(one.path, out, "--to", "torch", "--only", "all")
            loaded = torch.load(out, weights_only=True)
            self.assertTrue(torch.equal(loaded["head.weight"], loaded["embed.weight"]))

    def test_an_existing_output_is_kept(self) -> None:
        with temporary() as folder:
            out = Path(folder) / "out.safetensors"
            out.write_text("precious")
            answer = run("consolidate", case("torch_zip_state_dict").path, "-o", out, "--to", "safetensors", "--json")
            self.assertIn(answer.code, (2, 4), answer.said())
            self.assertEqual(out.read_text(), "precious")


def logits_of(folder: Path, tokens: torch.Tensor) -> torch.Tensor:
    from transformers import AutoModelForCausalLM

    with torch.no_grad():
        return AutoModelForCausalLM.from_pretrained(folder, dtype="auto").eval()(tokens).logits


@per_case(lambda one: one.oracle.get("from_pretrained"))
class FromPretrained(unittest.TestCase):
    def each_same_logits(self, one: Case) -> None:
        saved = torch.load(next(parent / "logits.pt" for parent in one.path.parents if (parent / "logits.pt").exists()))
        with temporary() as folder:
            out = Path(folder) / "model"
            answer = run("consolidate", one.path, "-o", out, "--to", "safetensors", "--only", "weights", "--bundle", "--json")
            self.assertEqual(answer.code, 0, answer.said())
            self.assertTrue((out / "config.json").is_file(), files_under(out))
            self.assertTrue(torch.equal(logits_of(out, saved["tokens"]), saved["logits"]))


class SampleExperiment(unittest.TestCase):
    def test_sharded_step_opens_with_from_pretrained(self) -> None:
        import torch.distributed.checkpoint as dcp
        from transformers import AutoModelForCausalLM

        run_folder = SAMPLE / "tiny-llama-a"
        with temporary() as folder:
            out = Path(folder) / "model"
            answer = run("consolidate", run_folder / "step-400", "-o", out, "--to", "safetensors", "--only", "weights", "--bundle", "--json")
            self.assertEqual(answer.code, 0, answer.said())
            if not (out / "config.json").exists():  # it is next to the checkpoints, not in one
                shutil.copy(run_folder / "config.json", out)
            from transformers import AutoConfig

            model = AutoModelForCausalLM.from_config(AutoConfig.from_pretrained(run_folder))
            state = model.state_dict()
            dcp.load(state, checkpoint_id=run_folder / "step-400")
            model.load_state_dict(state)
            tokens = torch.arange(1, 31).reshape(2, 15)
            with torch.no_grad():
                expected = model.eval()(tokens).logits
            self.assertTrue(torch.equal(logits_of(out, tokens), expected))


if __name__ == "__main__":
    unittest.main()

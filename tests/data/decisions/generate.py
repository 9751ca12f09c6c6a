# SPDX-License-Identifier: Apache-2.0
"""Writes three folders. `values`: checkpoints whose plain values are proven, not checked, damaged. `checkpoints`: small ones of which
the program decides whether they are whole, what their tensors are, whether weights are quantised, whether a loader takes them, and what
their pickles would run. `runs`: small runs whose best checkpoint, metric, direction, rows, steps and exports are founded in different
ways. The decisions are in expected_values.txt, expected_checkpoints.txt and expected.txt (the last with their evidence), which the tests
of every face compare with: tests/core/runs/decision_faces_test.cpp, tests/ui/navigator/decision_faces_test.cpp, tests/cli/test_values.py,
tests/cli/test_runs.py, tests/python/test_documents.py and tests/python/test_runs.py.

    python3 tests/data/decisions/generate.py
"""

from __future__ import annotations

import json
import math
import os
import shutil
import sys
import types
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "support"))
from made_files import floats, safetensors  # noqa: E402
from torch_files import Tensor, torch_zip  # noqa: E402


class Calls:
    """Pickles as a call of that name."""

    def __init__(self, called: object, *arguments: object) -> None:
        self.called, self.arguments = called, arguments

    def __reduce__(self) -> tuple:
        return self.called, self.arguments


RUNS = HERE / "runs"
VALUES = HERE / "values"
CHECKPOINTS = HERE / "checkpoints"
WIDTH, ROWS = 4, 6
LLAMA = {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": WIDTH, "intermediate_size": 2 * WIDTH, "vocab_size": ROWS,
         "num_hidden_layers": 1, "num_attention_heads": 1, "num_key_value_heads": 1, "tie_word_embeddings": False}


def weights(path: Path) -> None:
    safetensors(path, {"w": ("F32", [2], floats(1, 2))})


def torch_save(path: Path, **values: object) -> None:
    torch_zip(path, {"model": {"w": Tensor("0", (2,))}, **values}, {"0": floats(1, 2)})


def log(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def saved_values() -> None:
    shutil.rmtree(VALUES, ignore_errors=True)
    for name in ("compared", "damaged"):
        torch_zip(VALUES / f"{name}.pt", {"model": {"w": Tensor("0", (2,))}, "step": 12345, "lr": 0.25}, {"0": floats(1, 2)})
    data = bytearray((VALUES / "damaged.pt").read_bytes())
    data[data.index((12345).to_bytes(2, "little"))] ^= 1
    (VALUES / "damaged.pt").write_bytes(data)
    safetensors(VALUES / "not_checked.safetensors", {"w": ("F32", [2], floats(1, 2)), "step": ("F32", [], floats(7))}, {"lr": "0.1"})
    weights(VALUES / "none.safetensors")


def made_up_class() -> type:
    sys.modules["made_up"] = module = types.ModuleType("made_up")
    module.Config = type("Config", (), {"__module__": "made_up"})
    return module.Config


def llama() -> dict[str, list[int]]:
    layer, square = "model.layers.0.", [WIDTH, WIDTH]
    return {"model.embed_tokens.weight": [ROWS, WIDTH], "lm_head.weight": [ROWS, WIDTH], "model.norm.weight": [WIDTH],
            **{f"{layer}{name}_layernorm.weight": [WIDTH] for name in ("input", "post_attention")},
            **{f"{layer}self_attn.{name}_proj.weight": square for name in "qkvo"},
            **{f"{layer}mlp.{name}_proj.weight": [2 * WIDTH, WIDTH] for name in ("gate", "up")},
            f"{layer}mlp.down_proj.weight": [WIDTH, 2 * WIDTH]}


def model(folder: Path, config: dict, shapes: dict[str, list[int]], **stored: tuple[str, list[int], bytes]) -> None:
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps(config))
    plain = {name: ("F32", shape, floats(*range(1, 1 + math.prod(shape)))) for name, shape in shapes.items()}
    safetensors(folder / "model.safetensors", {**plain, **stored}, {"format": "pt"})


def checkpoints() -> None:
    shutil.rmtree(CHECKPOINTS, ignore_errors=True)
    # What tensors are: an optimizer's, an average's, a model's that only has their names.
    weight, moment = {"0": floats(1, 2)}, {"1": floats(3, 4), "2": floats(5, 6)}
    adam = {"state": {0: {"step": 1, "exp_avg": Tensor("1", (2,)), "exp_avg_sq": Tensor("2", (2,))}}, "param_groups": [{"lr": 0.1, "params": [0]}]}
    torch_zip(CHECKPOINTS / "training.pt", {"model": {"w": Tensor("0", (2,))}, "optimizer": adam, "epoch": 3}, {**weight, **moment})
    averages = {"model": {"w": Tensor("0", (2,))}, "ema": {"w": Tensor("1", (2,))}}
    torch_zip(CHECKPOINTS / "averaged.pt", {**averages, "optimizer": adam}, {**weight, **moment})
    torch_zip(CHECKPOINTS / "average_alone.pt", averages, {**weight, **moment})
    torch_zip(CHECKPOINTS / "names_alone.pt", {"optimizer": Tensor("0", (2,)), "ema.w": Tensor("1", (2,))}, {**weight, **moment})
    # What a pickle would do.
    torch_zip(CHECKPOINTS / "calls.pt", {"w": Tensor("0", (2,)), "extra": Calls(os.system, "true")}, weight)
    torch_zip(CHECKPOINTS / "unknown_class.pt", {"w": Tensor("0", (2,)), "extra": made_up_class()}, weight)
    # Whether it is whole.
    index = {"metadata": {"total_size": 16}, "weight_map": {"a": "model-00001-of-00002.safetensors", "b": "model-00002-of-00002.safetensors"}}
    safetensors(CHECKPOINTS / "cut/model-00001-of-00002.safetensors", {"a": ("F32", [2], floats(1, 2))})
    log(CHECKPOINTS / "cut/model.safetensors.index.json", json.dumps(index))
    # Whether the loader takes it.
    model(CHECKPOINTS / "loads", LLAMA, llama())
    model(CHECKPOINTS / "lacks", LLAMA, {name: shape for name, shape in llama().items() if "down_proj" not in name})
    model(CHECKPOINTS / "other_shape", LLAMA, {**llama(), "model.norm.weight": [WIDTH + 1]})
    model(CHECKPOINTS / "unknown_model", {**LLAMA, "architectures": ["MadeUpModel"], "model_type": "made_up"}, {"model.norm.weight": [WIDTH]})
    # Whether weights are quantised: the shapes of the parts fit each other and the config, or there is a suffix alone.
    gptq = {"quant_method": "gptq", "bits": 4, "group_size": 8, "desc_act": False, "sym": True, "checkpoint_format": "gptq"}
    codes = {"l.qweight": ("I32", [1, 8], bytes(range(32))), "l.qzeros": ("I32", [1, 1], bytes([0x77] * 4)),
             "l.scales": ("F32", [1, 8], floats(*range(1, 9))), "l.g_idx": ("I32", [8], bytes(32))}
    model(CHECKPOINTS / "quantised", {"model_type": "made_up", "quantization_config": gptq}, {}, **codes)
    safetensors(CHECKPOINTS / "suffix_alone.safetensors", {"l.qweight": codes["l.qweight"]})


def main() -> None:
    saved_values()
    checkpoints()
    shutil.rmtree(RUNS, ignore_errors=True)
    # Steps in the names, a metric with an assumed direction.
    for step in (1, 2, 3):
        weights(RUNS / f"named/step-{step}.safetensors")
    log(RUNS / "named/metrics.csv", "step,train_loss,val_loss\n1,4,2\n2,3,0.5\n3,2,1\n")
    # Everything is in the values; the log ended early, but counts what they count.
    for step in (100, 200, 300):
        torch_save(RUNS / f"declared/model-{step}.pt", global_step=step, epoch=step // 100)
    log(RUNS / "declared/metrics.csv", "global_step,val_accuracy\n50,0.25\n100,0.5\n")
    # Values of the checkpoints prove the rows; the name of one contradicts its step.
    for step, loss in ((10, 2.0), (20, 1.0), (30, 1.5)):
        torch_save(RUNS / f"proven/step_{step if step < 30 else 40}.pt", step=step, val_loss=loss)
    log(RUNS / "proven/metrics.csv", "step,val_loss\n10,2\n20,1\n30,1.5\n")
    # Rows that a data frame numbered.
    for step in (2, 4):
        weights(RUNS / f"undecided/step-{step}.safetensors")
    log(RUNS / "undecided/metrics.csv", ",val_loss\n0,5\n1,4\n2,1\n3,2\n4,3\n")
    # Two names for the best one.
    for name in ("best_acc", "best_loss", "epoch_3"):
        weights(RUNS / f"contradicting/{name}.safetensors")
    # The metric is in the checkpoints only.
    for epoch, f1 in ((1, 0.25), (2, 0.75), (3, 0.5)):
        torch_save(RUNS / f"held/model_{epoch}.pt", epoch=epoch, val_f1=f1)
    # An output of a job whose source is not known.
    for step in (1, 2):
        weights(RUNS / f"exported/step-{step}.safetensors")
    weights(RUNS / "exported/step-7.safetensors")
    (RUNS / "exported/step-7.safetensors.cairn.json").write_text(json.dumps({
        "schema": "cairn/manifest/1", "job": "consolidate", "options": {"only": "weights", "dtype": "keep"},
        "source": {"path": "step-2.safetensors", "files": [{"path": "step-2.safetensors", "bytes": 1, "mtime_ns": 1}]},
        "left_out": [], "verified": True}))


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""Writes pipelines of GPT-NeoX's layers whose embedding is tied with DeepSpeed: `neox_pipelines.py OUT [name …]`.

Layers, names, topology and the tied specifications are those of EleutherAI/gpt-neox, megatron/model/gpt2_model.py (there is no package of it); the layers
compute something else, because only their tensors are compared. Needs deepspeed (requirements-deepspeed.txt).
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path

import deepspeed_folders
from deepspeed_folders import Case

LAYERS, HIDDEN, HEADS = 2, 16, 4


@dataclass(frozen=True)
class Pipeline:
    stages: int
    slices: int
    zero: int
    dtype: str
    function: bool  # the head is a function of the embedding, as in GPT-NeoX; or the embedding's layer once more, which gets a file of its own
    copies: int = 1  # data parallel ranks

    @property
    def ranks(self) -> int:
        return self.stages * self.slices * self.copies


PIPELINES = {
    "neox_z1_bf16": Pipeline(2, 1, 1, "bf16", True),
    "neox_z0_fp16": Pipeline(2, 1, 0, "fp16", True),
    "neox_z1_slices": Pipeline(2, 2, 1, "bf16", True),
    "layer_z0_fp32": Pipeline(2, 1, 0, "fp32", False),
    "layer_z0_fp16": Pipeline(2, 1, 0, "fp16", False),
    "layer_z1_bf16": Pipeline(2, 1, 1, "bf16", False),
    "layer_z1_one": Pipeline(1, 1, 1, "fp16", False),
    "layer_z0_slices": Pipeline(2, 2, 0, "fp32", False),
    "layer_z1_copies": Pipeline(2, 1, 1, "bf16", False, 2),
}


def module_of(case: Pipeline, rank: int):
    import torch
    from deepspeed.pipe import LayerSpec, PipelineModule, TiedLayerSpec
    from deepspeed.runtime.pipe.topology import PipeModelDataParallelTopology
    from torch import nn

    topology = PipeModelDataParallelTopology(num_pp=case.stages, num_mp=case.slices, num_dp=case.copies)
    slot = topology.get_coord(rank).model
    part = case.slices

    def filled(module: nn.Module, seed: int) -> None:
        for number, parameter in enumerate(module.parameters()):
            generator = torch.Generator().manual_seed(1000 * seed + 10 * number + slot)
            parameter.data = 0.2 * torch.randn(parameter.shape, generator=generator) + (1 if parameter.dim() == 1 else 0)

    class Embedding(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.word_embeddings = nn.Linear(HIDDEN, HIDDEN // part, bias=False)
            filled(self, 1)

        @property
        def word_embeddings_weight(self):
            return self.word_embeddings.weight

        def forward(self, x):
            return self.word_embeddings(x).repeat(1, part)

    class Layer(nn.Module):
        def __init__(self, number: int) -> None:
            super().__init__()
            self.input_layernorm, self.post_attention_layernorm = nn.LayerNorm(HIDDEN), nn.LayerNorm(HIDDEN)
            self.attention, self.mlp = nn.Module(), nn.Module()
            self.attention.query_key_value = nn.Linear(HIDDEN, 3 * HIDDEN // part)
            self.attention.dense = nn.Linear(HIDDEN // part, HIDDEN)
            self.mlp.dense_h_to_4h = nn.Linear(HIDDEN, 4 * HIDDEN // part)
            self.mlp.dense_4h_to_h = nn.Linear(4 * HIDDEN // part, HIDDEN)
            filled(self, 2 + number)

        def forward(self, x):
            inner = self.attention.query_key_value(self.input_layernorm(x))[..., : HIDDEN // part]
            return x + self.attention.dense(inner) + self.mlp.dense_4h_to_h(self.mlp.dense_h_to_4h(self.post_attention_layernorm(x)))

    class Norm(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.norm = nn.LayerNorm(HIDDEN)
            filled(self, 50)

        def forward(self, x):
            return self.norm(x)

    def logits(embedding, x):
        return (x @ embedding.word_embeddings_weight.t()).repeat(1, part)

    def same(x):
        return x

    def tied(**options):
        return TiedLayerSpec("embed", Embedding, tied_weight_attr="word_embeddings_weight", **options)

    layers = [tied(), same, *(LayerSpec(Layer, number) for number in range(LAYERS)), same, LayerSpec(Norm), tied(forward_fn=logits) if case.function else tied()]
    return PipelineModule(layers=layers, topology=topology, partition_method="uniform", loss_fn=deepspeed_folders.squared_distance)


def train(case: Pipeline, folder: Path, rank: int) -> None:
    engine = deepspeed_folders.trained_pipeline(Case("", case.zero, case.ranks, case.dtype), module_of(case, rank), width=HIDDEN, seed=7)
    engine.save_checkpoint(str(folder))


def settings_of(case: Pipeline) -> dict:
    return {"pipe-parallel-size": case.stages, "model-parallel-size": case.slices, "num-layers": LAYERS, "hidden-size": HIDDEN, "num-attention-heads": HEADS,
            "seq-length": 40, "max-position-embeddings": 40, "norm": "layernorm", "pos-emb": "rotary", "rotary-pct": 0.25, "no-weight-tying": False,
            "gpt-j-residual": True, "layernorm-epsilon": 1e-6}


def main() -> int:
    out = Path(sys.argv[1]).resolve()
    for name in sys.argv[2:] or PIPELINES:
        case = PIPELINES[name]
        if (out / name / ".done").exists():
            continue
        deepspeed_folders.spawn(case, out / name, train)
        save = out / name / (out / name / "latest").read_text().strip()
        (save / "configs").mkdir()  # as the trainer saves its settings
        (save / "configs" / "tiny.yml").write_text(json.dumps(settings_of(case)))
        (out / name / ".done").touch()
        print("made", name, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""Writes DeepSpeed checkpoints with DeepSpeed: `deepspeed_folders.py OUT [pattern …]`.

One folder per case, saved by the case's number of gloo ranks, on the CPU. Needs deepspeed (requirements-deepspeed.txt)
and therefore a separate environment.
"""

from __future__ import annotations

import fnmatch
import os
import socket
import sys
import traceback
from dataclasses import dataclass
from pathlib import Path

os.environ.update(DS_ACCELERATOR="cpu", DS_BUILD_OPS="0", OMP_NUM_THREADS="1", DEEPSPEED_LOG_LEVEL="error")


@dataclass(frozen=True)
class Case:
    name: str
    stage: int
    ranks: int
    dtype: str = "bf16"  # fp32, fp16, bf16, or bf16_optimizer (BF16_Optimizer: bf16 with fp32 gradients accumulated)
    frozen: bool = False
    tied: bool = False
    round_robin: bool = False
    sub_group: int = 0
    groups: int = 1
    kind: str = "plain"  # plain, pipeline, moe, tensor (parallel: ranks / 2 data parallel ones), both (pipeline and tensor)
    stages: int = 2      # pipeline
    odd: bool = False    # sizes that need padding
    same: bool = False   # several parameters of one shape, in groups whose order differs from the module's
    steps: int = 2
    keep: int = 1        # saves
    universal: bool = False


CASES = [
    Case("z0_fp32_r1", 0, 1, "fp32"),
    Case("z0_fp16_r2", 0, 2, "fp16"),
    Case("z0_bf16_r2", 0, 2, "bf16"),
    Case("z0_bf16_r2_frozen", 0, 2, "bf16", frozen=True, same=True),
    Case("z0_fp16_r1_groups", 0, 1, "fp16", groups=2, same=True, tied=True),
    Case("z1_bf16_r1", 1, 1),
    Case("z1_bf16_r2", 1, 2, tied=True, odd=True),
    Case("z1_fp16_r3_frozen", 1, 3, "fp16", frozen=True, odd=True, groups=2),
    Case("z1_fp32_r4", 1, 4, "fp32", odd=True),
    Case("z1_bf16opt_r2", 1, 2, "bf16_optimizer", odd=True, groups=2),
    Case("z2_bf16_r2", 2, 2, frozen=True, tied=True, odd=True),
    Case("z2_fp16_r4_rr", 2, 4, "fp16", round_robin=True, odd=True),
    Case("z2_bf16_r3_rr_groups", 2, 3, round_robin=True, groups=2, odd=True),
    Case("z2_fp32_r1", 2, 1, "fp32", tied=True),
    Case("z2_bf16_r12", 2, 12, odd=True),
    Case("z3_bf16_r1", 3, 1, tied=True),
    Case("z3_bf16_r2", 3, 2, frozen=True, tied=True, odd=True),
    Case("z3_fp16_r4_sub", 3, 4, "fp16", sub_group=40, odd=True),
    Case("z3_fp32_r3_sub", 3, 3, "fp32", sub_group=25, odd=True, frozen=True, groups=2),
    Case("z3_bf16_r11", 3, 11, sub_group=16, odd=True),
    Case("z2_bf16_r2_keep", 2, 2, keep=3),
    Case("pp_bf16_r2", 1, 2, "bf16", kind="pipeline", tied=True),
    Case("pp_fp16_r4", 1, 4, "fp16", kind="pipeline"),
    Case("pp_fp32_z0_r2", 0, 2, "fp32", kind="pipeline"),
    Case("pp_fp16_z0_r2", 0, 2, "fp16", kind="pipeline"),
    Case("pp_bf16_z0_r2", 0, 2, "bf16", kind="pipeline"),
    Case("pp_bf16_z0_r4", 0, 4, "bf16", kind="pipeline", tied=True),
    Case("moe_bf16_r2", 2, 2, "bf16", kind="moe"),
    Case("moe_fp16_r4", 1, 4, "fp16", kind="moe"),
    Case("moe_z0_fp32_r2", 0, 2, "fp32", kind="moe"),
    Case("moe_z0_fp16_r4", 0, 4, "fp16", kind="moe"),
    Case("moe_z0_bf16_r2", 0, 2, "bf16", kind="moe"),
    Case("uni_z1_bf16_r2", 1, 2, "bf16", tied=True, odd=True, universal=True),
    Case("uni_z3_bf16_r2", 3, 2, "bf16", odd=True, universal=True),
    Case("uni_z1_bf16_r2_frozen", 1, 2, "bf16", odd=True, frozen=True, tied=True, universal=True),
    Case("uni_z2_fp16_r1_frozen", 2, 1, "fp16", frozen=True, universal=True),
    Case("uni_z3_bf16_r2_frozen", 3, 2, "bf16", odd=True, frozen=True, universal=True),
    Case("tp_z1_bf16_r4", 1, 4, "bf16", kind="tensor", universal=True),
    Case("tp_z2_fp16_r2", 2, 2, "fp16", kind="tensor", universal=True),
    Case("tp_z1_bf16opt_r4", 1, 4, "bf16_optimizer", kind="tensor", universal=True),
    Case("tp_z1_unknown_r2", 1, 2, "bf16", kind="tensor"),
    Case("pp_tp_z1_bf16_r4", 1, 4, "bf16", kind="both", universal=True),
    Case("pp_tp_z1_fp16_r8", 1, 8, "fp16", kind="both", universal=True),
    Case("pp_tp_unknown_r4", 1, 4, "bf16", kind="both"),
]


def model_of(case: Case):
    import torch
    from torch import nn

    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            wide = 7 if case.odd else 8
            self.embed = nn.Embedding(11 if case.odd else 12, wide)
            self.inner = nn.Sequential(nn.Linear(wide, 5 if case.odd else 6), nn.GELU(), nn.Linear(5 if case.odd else 6, wide))
            self.kernel = nn.Parameter(torch.randn(3, 2, 3, wide))
            self.norm = nn.LayerNorm(wide)
            self.scale = nn.Parameter(torch.ones(1))
            self.head = nn.Linear(wide, 11 if case.odd else 12, bias=False)
            self.register_buffer("mask", torch.tensor([True, False, True]))
            self.register_buffer("table", torch.randn(4, 3))
            self.register_buffer("count", torch.tensor(3))
            if case.same:
                self.more = nn.ModuleList([nn.Linear(wide, wide) for _ in range(3)])
            if case.tied:
                self.head.weight = self.embed.weight
            if case.frozen and case.same:
                self.more[1].weight.requires_grad_(False)
                self.more[0].bias.requires_grad_(False)
            elif case.frozen:
                self.inner[2].weight.requires_grad_(False)
                self.inner[0].bias.requires_grad_(False)

        def forward(self, tokens):
            hidden = self.embed(tokens)
            hidden = hidden + self.inner(hidden) * self.scale + self.kernel.sum(dim=(0, 1, 2))
            for layer in getattr(self, "more", []):
                hidden = hidden + layer(hidden)
            return self.head(self.norm(hidden)).float().logsumexp(-1).mean()

    return Net()


def config_of(case: Case) -> dict:
    config = {"train_micro_batch_size_per_gpu": 2, "gradient_accumulation_steps": 1, "steps_per_print": 10**9,
              "zero_allow_untested_optimizer": True, "zero_force_ds_cpu_optimizer": False,
              "zero_optimization": {"stage": case.stage, "round_robin_gradients": case.round_robin}}
    if case.sub_group:
        config["zero_optimization"]["sub_group_size"] = case.sub_group
    if case.stage == 3:
        config["zero_optimization"]["stage3_param_persistence_threshold"] = 4
    if case.dtype == "fp16":
        config["fp16"] = {"enabled": True, "initial_scale_power": 4}
    elif case.dtype.startswith("bf16"):
        config["bf16"] = {"enabled": True}
        if case.dtype == "bf16_optimizer":
            config["data_types"] = {"grad_accum_dtype": "fp32"}
    return config


def optimizer_of(case: Case, model):
    import torch

    trainable = [p for p in model.parameters() if p.requires_grad]
    if case.groups == 1:
        return torch.optim.AdamW(trainable, lr=1e-3)
    flat = [p for p in trainable if p.dim() <= 1]
    if case.same:  # like many recipes: a different rate for the last layers
        late = {id(p) for p in model.more[1:].parameters()}
        groups = [[p for p in trainable if id(p) in late], [p for p in trainable if id(p) not in late]]
        return torch.optim.AdamW([{"params": groups[0], "lr": 3e-3}, {"params": groups[1]}], lr=1e-3)
    return torch.optim.AdamW([{"params": [p for p in trainable if p.dim() > 1]}, {"params": flat, "weight_decay": 0.0}], lr=1e-3)


def train_plain(case: Case, folder: Path, rank: int) -> None:
    import deepspeed
    import torch

    if case.kind == "moe":
        model = moe_model(case)
    else:
        model = model_of(case)
    optimizer = optimizer_of(case, model)
    if case.kind == "moe":
        from deepspeed.moe.utils import split_params_into_different_moe_groups_for_optimizer

        groups = split_params_into_different_moe_groups_for_optimizer({"params": list(model.parameters()), "name": "all"})
        optimizer = torch.optim.AdamW(groups, lr=1e-3)
    engine, *_ = deepspeed.initialize(model=model, optimizer=optimizer, config=config_of(case), dist_init_required=False)
    torch.manual_seed(100 + rank)
    for save in range(case.keep):
        for _ in range(case.steps):
            if case.kind == "moe":
                dtype = next(p for p in model.parameters()).dtype
                loss = engine(torch.randn(4, 8, dtype=dtype))
            else:
                loss = engine(torch.randint(0, 11, (6,)))
            engine.backward(loss)
            engine.step()
        engine.save_checkpoint(str(folder), client_state={"epoch": save + 1, "note": "by hand"})
    if case.stage == 0 and (case.kind == "moe" or rank == 0):
        torch.save(live_state(engine, rank % 2), folder / f"live_{rank}.pt")


def live_state(engine, expert_rank: int) -> dict:
    """This rank's optimizer state by the parameters' global names, taken from the optimizer, not from its files."""
    optimizer = engine.optimizer
    masters = {}
    if hasattr(optimizer, "fp16_groups"):
        for narrow, wide in zip(optimizer.fp16_groups, optimizer.fp32_groups):
            masters |= {id(p): master for p, master in zip(narrow, wide)}
    state = getattr(optimizer, "optimizer", optimizer).state
    weights, moments = {}, {}
    for name, parameter in engine.module.named_parameters():
        if ".deepspeed_experts." in name:
            before, _, rest = name.partition(".deepspeed_experts.")
            number, _, after = rest.partition(".")
            name = f"{before}.deepspeed_experts.{int(number) + 2 * expert_rank}.{after}"  # two on each rank
        master = masters.get(id(parameter), parameter)
        weights[name] = master.detach().clone()
        if parameter.requires_grad:
            moments |= {f"{name}.{key}": state[master][key].clone() for key in ("exp_avg", "exp_avg_sq")}
    return {"weights": weights, "moments": moments}


# Megatron-DeepSpeed's, in megatron/model/gpt_model.py (universal_checkpoint_info)
SLICES = {
    "universal_checkpoint_version": 0.2, "original_vocab_size": 12, "padded_vocab_size": 12,
    "tp_replicated_parameter_patterns": [r"norm.weight", r"layers.\d+.input_norm.weight", r"layers.\d+.attention.dense.bias"],
    "parameter_to_average_patterns": [],
    "parameter_with_row_parallelism_patterns": [r"layers.\d+.attention.dense.weight", r"layers.\d+.mlp.down.weight"],
    "vocabulary_parameter_patterns": [r"word_embeddings.weight"],
    "parameter_with_2_sub_params_cat_dim_0": [r"layers.\d+.mlp.gate_up.weight"],
}


class Slices:
    """Like megatron.core.parallel_state: adjacent ranks are tensor parallel."""

    def __init__(self, rank: int, ranks: int) -> None:
        import torch.distributed as dist

        self.rank, self.dp = rank % 2, rank // 2
        pairs = [dist.new_group([first, first + 1]) for first in range(0, ranks, 2)]
        same = [dist.new_group(list(range(slot, ranks, 2))) for slot in (0, 1)]
        self.pair, self.same, self.ranks = pairs[self.dp], same[self.rank], ranks

    def get_model_parallel_rank(self): return self.rank  # noqa: E704
    def get_model_parallel_world_size(self): return 2  # noqa: E704
    def get_model_parallel_group(self): return self.pair  # noqa: E704
    def get_tensor_model_parallel_rank(self): return self.rank  # noqa: E704
    def get_tensor_model_parallel_world_size(self): return 2  # noqa: E704
    def get_tensor_model_parallel_group(self): return self.pair  # noqa: E704
    def get_data_parallel_rank(self): return self.dp  # noqa: E704
    def get_data_parallel_world_size(self): return self.ranks // 2  # noqa: E704
    def get_data_parallel_group(self): return self.same  # noqa: E704


def slice_of_model(rank: int):
    """One tensor parallel rank's part; the ranks do not communicate, because only the files are needed."""
    import torch
    from torch import nn

    shapes = {"word_embeddings.weight": (6, 8), "norm.weight": (8,)}
    for layer in (0, 1):
        shapes |= {f"layers.{layer}.input_norm.weight": (8,), f"layers.{layer}.attention.qkv.weight": (12, 8),
                   f"layers.{layer}.attention.qkv.bias": (12,), f"layers.{layer}.attention.dense.weight": (8, 4),
                   f"layers.{layer}.attention.dense.bias": (8,), f"layers.{layer}.mlp.gate_up.weight": (10, 8),
                   f"layers.{layer}.mlp.down.weight": (8, 5)}
    replicated = ("norm.weight", "dense.bias")
    whole, own = torch.Generator().manual_seed(5), torch.Generator().manual_seed(50 + rank)
    root = nn.Module()
    for name, shape in shapes.items():
        module = root
        for part in name.split(".")[:-1]:
            if not hasattr(module, part):
                module.add_module(part, nn.Module())
            module = getattr(module, part)
        parameter = nn.Parameter(torch.randn(shape, generator=whole if name.endswith(replicated) else own))
        parameter.tensor_model_parallel = parameter.model_parallel = not name.endswith(replicated)
        module.register_parameter(name.split(".")[-1], parameter)
    root.forward = lambda: sum(parameter.float().square().sum() for parameter in root.parameters())
    return root


def train_slices(case: Case, folder: Path, rank: int) -> None:
    import deepspeed
    import torch

    mpu = Slices(rank, case.ranks)
    model = slice_of_model(mpu.rank)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    engine, *_ = deepspeed.initialize(model=model, optimizer=optimizer, config=config_of(case), mpu=mpu, dist_init_required=False)
    for _ in range(case.steps):
        engine.backward(engine())
        engine.step()
    state = {"epoch": 1, "args": {"tensor_model_parallel_size": 2}}
    if case.universal:
        state["universal_checkpoint_info"] = SLICES
    engine.save_checkpoint(str(folder), client_state=state)


# named by the number of the layer, like in Megatron-DeepSpeed's GPTModelPipe
STAGE_SLICES = SLICES | {
    "tp_replicated_parameter_patterns": [r"\d+.norm.weight", r"\d+.down.bias"],
    "parameter_with_row_parallelism_patterns": [r"\d+.down.weight"],
    "parameter_with_2_sub_params_cat_dim_0": [r"\d+.gate_up.weight"],
    "vocabulary_parameter_patterns": [],
}


def squared_distance(out, label):
    return (out.float() - label.float()).square().mean()


def trained_pipeline(case: Case, module, width: int, seed: int):
    """The engine of a PipelineModule after the case's steps on random rows of `width` numbers."""
    import deepspeed
    import torch

    config = config_of(case) | {"pipeline": {"activation_checkpoint_interval": 0}}
    optimizer = torch.optim.AdamW([p for p in module.parameters() if p.requires_grad], lr=1e-3)
    engine, *_ = deepspeed.initialize(model=module, optimizer=optimizer, config=config, dist_init_required=False)
    dtype = {"fp16": torch.float16, "bf16": torch.bfloat16}.get(case.dtype, torch.float32)

    def batches():
        while True:
            yield torch.randn(2, width, dtype=dtype), torch.randn(2, width, dtype=dtype)

    torch.manual_seed(seed)
    for _ in range(case.steps):
        engine.train_batch(batches())
    return engine


def train_stages_of_slices(case: Case, folder: Path, rank: int) -> None:
    """Two stages of two slices each; the slices do not communicate, so replicated parameters must be kept equal."""
    import torch
    from deepspeed.pipe import LayerSpec, PipelineModule
    from deepspeed.runtime.pipe.topology import PipeModelDataParallelTopology
    from torch import nn

    topology = PipeModelDataParallelTopology(num_pp=2, num_mp=2, num_dp=case.ranks // 4)
    slot = topology.get_coord(rank).model

    class Block(nn.Module):
        def __init__(self, number: int) -> None:
            super().__init__()
            own, whole = torch.Generator().manual_seed(10 * number + slot), torch.Generator().manual_seed(500 + number)
            self.norm = nn.LayerNorm(8, bias=False)
            self.gate_up, self.up, self.down = nn.Linear(8, 10, bias=False), nn.Linear(8, 5), nn.Linear(5, 8)
            for name, parameter in self.named_parameters():
                replicated = name in ("norm.weight", "down.bias")
                parameter.data = 0.2 * torch.randn(parameter.shape, generator=whole if replicated else own)
                parameter.tensor_model_parallel = parameter.model_parallel = not replicated

        def forward(self, x):
            gate, up = self.gate_up(x).chunk(2, dim=-1)
            hidden = nn.functional.linear(gate * up + self.up(x), self.down.weight)
            return x + hidden + 0 * (self.norm(x) + self.down.bias)

    module = PipelineModule(layers=[LayerSpec(Block, number) for number in range(4)], topology=topology, partition_method="uniform",
                            loss_fn=squared_distance)
    engine = trained_pipeline(case, module, width=8, seed=7)
    state = {"epoch": 1, "args": {"tensor_model_parallel_size": 2}}
    if case.universal:
        state["universal_checkpoint_info"] = STAGE_SLICES
    engine.save_checkpoint(str(folder), client_state=state)


def moe_model(case: Case):
    import deepspeed.moe.layer
    import torch
    from torch import nn

    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first = nn.Linear(8, 8)
            self.moe = deepspeed.moe.layer.MoE(8, nn.Linear(8, 8), num_experts=4, ep_size=2, k=1, use_tutel=False)
            self.last = nn.Linear(8, 3)

        def forward(self, x):
            hidden, _, _ = self.moe(self.first(x))
            return self.last(hidden).float().square().mean()

    return Net()


def train_pipeline(case: Case, folder: Path, rank: int) -> None:
    import torch
    from deepspeed.pipe import LayerSpec, PipelineModule, TiedLayerSpec
    from torch import nn

    def head(module, x):
        return x @ module.weight.t()

    if case.tied:
        layers = [TiedLayerSpec("embed", nn.Linear, 6, 6, bias=False), LayerSpec(nn.Linear, 6, 8), nn.functional.gelu,
                  LayerSpec(nn.Linear, 8, 6), TiedLayerSpec("embed", nn.Linear, 6, 6, bias=False, forward_fn=head)]
    else:
        layers = [LayerSpec(nn.Linear, 6, 8), nn.functional.gelu, LayerSpec(nn.LayerNorm, 8), LayerSpec(nn.Linear, 8, 6)]
    module = PipelineModule(layers=layers, num_stages=case.stages, loss_fn=squared_distance, partition_method="uniform")
    engine = trained_pipeline(case, module, width=6, seed=7 + rank)
    engine.save_checkpoint(str(folder), client_state={"epoch": 1})
    if hasattr(engine.optimizer, "fp32_groups"):
        torch.save(live_state(engine, 0), folder / f"live_{rank}.pt")


def train(case: Case, folder: Path, rank: int) -> None:
    {"pipeline": train_pipeline, "tensor": train_slices, "both": train_stages_of_slices}.get(case.kind, train_plain)(case, folder, rank)


def worker(rank: int, case, folder: Path, port: int, train_rank) -> None:
    os.environ.update(RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE=str(case.ranks), LOCAL_SIZE=str(case.ranks),
                      MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    import deepspeed
    import torch
    import torch.distributed

    torch.set_num_threads(1)
    type(deepspeed.accelerator.get_accelerator()).is_fp16_supported = lambda self: True  # as on a GPU: only the files are needed
    torch.distributed.init_process_group("gloo", rank=rank, world_size=case.ranks)
    deepspeed.init_distributed(dist_backend="gloo")
    torch.manual_seed(3)
    train_rank(case, folder, rank)
    torch.distributed.barrier()
    torch.distributed.destroy_process_group()


def to_universal(folder: Path) -> None:
    import subprocess

    tag = (folder / "latest").read_text().strip()
    script = Path(sys.modules["deepspeed"].__file__).parent / "checkpoint" / "ds_to_universal.py"
    extra = ["--inject_missing_state"]
    subprocess.run([sys.executable, script, "--input_folder", folder / tag, "--output_folder", folder / (tag + "_universal"),
                    "--num_extract_workers", "1", "--num_merge_workers", "1", *extra], check=True, stdout=subprocess.DEVNULL)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def spawn(case, folder: Path, train_rank) -> None:
    """Calls train_rank(case, folder, rank) in `case.ranks` processes."""
    import torch.multiprocessing

    port = free_port()
    try:
        torch.multiprocessing.spawn(worker, args=(case, folder, port, train_rank), nprocs=case.ranks, join=True)
    finally:  # DeepSpeed leaves 64 MiB of shared memory per rank (csrc/cpu/comm/shm.cpp)
        for buffer in Path("/dev/shm").glob(f"deepspeed_allreduce_buffer_*_{port}_*"):
            buffer.unlink(missing_ok=True)


def write(case: Case, out: Path) -> None:
    folder = out / case.name
    spawn(case, folder, train)
    if case.universal:
        import deepspeed  # noqa: F401

        to_universal(folder)


def main() -> int:
    out = Path(sys.argv[1]).resolve()
    out.mkdir(parents=True, exist_ok=True)
    patterns = sys.argv[2:] or ["*"]
    failed = []
    for case in CASES:
        if not any(fnmatch.fnmatch(case.name, pattern) for pattern in patterns) or (out / case.name / ".done").exists():
            continue
        try:
            write(case, out)
            (out / case.name / ".done").touch()
            print("made", case.name, flush=True)
        except Exception:
            traceback.print_exc()
            failed.append(case.name)
    print("failed:", failed)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

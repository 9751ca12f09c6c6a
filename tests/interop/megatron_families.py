# SPDX-License-Identifier: Apache-2.0
"""Makes Megatron checkpoints of model families with megatron-core on the CPU, with the logits of its own forward.

    venv-megatron/bin/python tests/interop/megatron_families.py build/interop-megatron-families [FAMILY...]

<family>/{stacked,layers,singleton,legacy}: the same model by dist_checkpointing with the layers of a name in one tensor, with one tensor each, and with
one for each expert, and as a legacy rank. <family>/nemo: a NeMo 2 folder with these weights, its context/model.yaml in the form of NeMo's
lightning/io/mixin.py (NeMo itself is not installed), and a tokenizer. <family>/logits.pt: input ids and what the model makes of them.
"""

from __future__ import annotations

import argparse
import contextlib
import inspect
import shutil
import sys
from pathlib import Path

import torch

import megatron_folders as folders

LAYERS, HIDDEN, HEADS, VOCABULARY, PADDED = 3, 32, 4, 61, 64
DENSE = {"normalization": "RMSNorm", "gated_linear_unit": True, "activation_func": torch.nn.functional.silu, "add_bias_linear": False,
         "num_query_groups": 2, "kv_channels": 8, "ffn_hidden_size": 48, "layernorm_epsilon": 1e-6}
EXPERTS = {"num_moe_experts": 4, "moe_router_topk": 2, "moe_ffn_hidden_size": 24, "moe_token_dispatcher_type": "allgather", "moe_grouped_gemm": False}
FAMILIES = {
    "llama": DENSE,
    "qwen2": DENSE | {"add_qkv_bias": True},
    "qwen3": DENSE | {"qk_layernorm": True, "kv_channels": 16},
    "mixtral": DENSE | EXPERTS | {"moe_ffn_hidden_size": 48},
    "qwen3_moe": DENSE | EXPERTS | {"qk_layernorm": True},
    "qwen2_moe": DENSE | EXPERTS | {"add_qkv_bias": True, "moe_router_pre_softmax": True, "moe_shared_expert_intermediate_size": 40,
                                    "moe_shared_expert_gate": True},
    "deepseek_v3": DENSE | EXPERTS | {"multi_latent_attention": True, "q_lora_rank": 12, "kv_lora_rank": 16, "qk_head_dim": 8, "qk_pos_emb_head_dim": 4,
                                      "v_head_dim": 8, "num_query_groups": 4, "qk_layernorm": True, "moe_layer_freq": [0, 1, 1],
                                      "moe_router_score_function": "sigmoid", "moe_router_enable_expert_bias": True, "rope_type": "rope",
                                      "moe_router_topk_scaling_factor": 1.5, "moe_shared_expert_intermediate_size": 24, "moe_router_dtype": "fp32"},
    "gpt2": {"normalization": "LayerNorm", "gated_linear_unit": False, "activation_func": torch.nn.functional.gelu, "add_bias_linear": True,
             "ffn_hidden_size": 128, "layernorm_epsilon": 1e-5},
}
TIED = {"gpt2", "qwen2"}


class PlainAttention(torch.nn.Module):
    """softmax(q k^T / sqrt(d)) v for keys and values of different widths; has no parameters."""

    def __init__(self, *_, **__):
        super().__init__()

    def forward(self, query, key, value, *_, **__):
        query, key, value = (part.permute(1, 2, 0, 3) for part in (query, key, value))
        scores = query @ key.transpose(2, 3) / query.shape[-1] ** 0.5
        mask = torch.triu(torch.ones(scores.shape[-2:], dtype=torch.bool), 1)
        context = scores.masked_fill(mask, -10000.0).softmax(-1) @ value
        return context.permute(2, 0, 1, 3).flatten(2)


def model_of(family: str):
    from megatron.core.models.gpt.gpt_layer_specs import get_gpt_decoder_block_spec, get_gpt_layer_local_spec
    from megatron.core.models.gpt.gpt_model import GPTModel
    from megatron.core.transformer.transformer_config import MLATransformerConfig, TransformerConfig

    options = dict(FAMILIES[family])
    latent = options.get("multi_latent_attention", False)
    config = (MLATransformerConfig if latent else TransformerConfig)(
        num_layers=LAYERS, hidden_size=HIDDEN, num_attention_heads=HEADS, use_cpu_initialization=True, bias_activation_fusion=False,
        params_dtype=torch.float32, attention_dropout=0.0, hidden_dropout=0.0, bias_dropout_fusion=False, apply_rope_fusion=False,
        masked_softmax_fusion=False, **options)
    spec = get_gpt_decoder_block_spec(config, use_transformer_engine=False, normalization=config.normalization) if config.num_moe_experts else \
        get_gpt_layer_local_spec(None, False, options.get("qk_layernorm", False), latent, normalization=config.normalization)
    if latent:  # megatron-core's own attention for unequal widths needs Transformer Engine
        for layer in spec.layer_specs if config.num_moe_experts else [spec]:
            layer.submodules.self_attention.submodules.core_attention = PlainAttention
    model = GPTModel(config, spec, vocab_size=PADDED, max_sequence_length=32, share_embeddings_and_output_weights=family in TIED,
                     position_embedding_type="learned_absolute" if family == "gpt2" else "rope", rotary_base=10000)
    torch.manual_seed(folders.SEED)
    with torch.no_grad():
        for name, tensor in [*model.named_parameters(), *model.named_buffers()]:
            if tensor.is_floating_point() and "inv_freq" not in name and "local_tokens" not in name:
                tensor.copy_(torch.randn(tensor.shape) * (0.2 if tensor.dim() > 1 else 0.1) + (1.0 if "norm" in name and "bias" not in name else 0.0))
    return model.eval()


def args_of(family: str) -> argparse.Namespace:
    """The fields of Megatron-LM's arguments.py that say what the model is."""
    options = FAMILIES[family]
    known = {key: value for key, value in options.items() if not callable(value)}
    groups = known.pop("num_query_groups", HEADS)
    return argparse.Namespace(**known, num_layers=LAYERS, hidden_size=HIDDEN, num_attention_heads=HEADS, group_query_attention=groups != HEADS,
                              num_query_groups=groups, swiglu=options["gated_linear_unit"], num_experts=options.get("num_moe_experts"),
                              untie_embeddings_and_output_weights=family not in TIED, padded_vocab_size=PADDED, vocab_size=VOCABULARY,
                              make_vocab_size_divisible_by=16, norm_epsilon=options["layernorm_epsilon"], rotary_base=10000, rotary_percent=1.0,
                              position_embedding_type="learned_absolute" if family == "gpt2" else "rope", max_position_embeddings=32,
                              tensor_model_parallel_size=1, pipeline_model_parallel_size=1, virtual_pipeline_model_parallel_size=None,
                              expert_model_parallel_size=1, iteration=5, transformer_impl="local", add_position_embedding=family == "gpt2")


#: the module of NeMo's model and config, and the class names in it
NEMO = {"llama": ("llama", "LlamaModel", "Llama2Config7B"), "qwen2": ("qwen2", "Qwen2Model", "Qwen2Config"), "qwen3": ("qwen3", "Qwen3Model", "Qwen3Config"),
        "mixtral": ("mixtral", "MixtralModel", "MixtralConfig"), "qwen3_moe": ("qwen3", "Qwen3Model", "Qwen3MoEConfig"),
        "gpt2": ("base", "GPTModel", "GPTConfig")}


def nemo_value(value):
    """As _safe_object_representer writes values that YAML has no type for."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)):
        return [nemo_value(each) for each in value]
    if isinstance(value, dict):
        return {key: nemo_value(each) for key, each in value.items()}
    if hasattr(value, "__qualname__"):
        module = inspect.getmodule(value)
        if module is not None:
            return {"_target_": f"{module.__name__}.{value.__qualname__}", "_call_": False}
    cls = type(value)
    return {"_target_": f"{inspect.getmodule(cls).__name__}.{cls.__qualname__}", "_call_": True}


def save_nemo(family: str, model, folder: Path) -> None:
    """weights/ as NeMo's MegatronStrategy names it, and context/ as io_dump writes it, with the arguments of the config and their defaults."""
    import dataclasses

    import yaml
    from megatron.core import dist_checkpointing
    from megatron.core.transformer.transformer_config import TransformerConfig

    weights, context = folder / "weights", folder / "context"
    weights.mkdir(parents=True)
    dist_checkpointing.save(model.sharded_state_dict(prefix="module."), str(weights))
    module, model_class, config_class = NEMO[family]
    options = FAMILIES[family]
    fields = {field.name: field.default if field.default is not dataclasses.MISSING else None for field in dataclasses.fields(TransformerConfig)}
    own = {"parallel_output": True, "share_embeddings_and_output_weights": family in TIED, "make_vocab_size_divisible_by": 16,
           "position_embedding_type": "learned_absolute" if family == "gpt2" else "rope", "rotary_base": 10000, "rotary_percent": 1.0,
           "seq_len_interpolation_factor": None, "seq_length": 32, "vocab_size": None}
    config = {**fields, **own, **options, "num_layers": LAYERS, "hidden_size": HIDDEN, "num_attention_heads": HEADS,
              "_target_": f"nemo.collections.llm.gpt.model.{module}.{config_class}"}
    document = {"config": nemo_value(config), "optim": None, "tokenizer": {
        "pretrained_model_name": "nemo_tokenizer", "use_fast": True, "_target_": "nemo.collections.common.tokenizers.huggingface.auto_tokenizer.AutoTokenizer"},
        "model_transform": None, "_target_": f"nemo.collections.llm.gpt.model.{module}.{model_class}"}
    (context / "nemo_tokenizer").mkdir(parents=True)
    (context / "model.yaml").write_text(yaml.safe_dump(document))
    (context / "io.json").write_text("{}")
    from tokenizers import Tokenizer, models

    Tokenizer(models.WordLevel({f"w{i}": i for i in range(VOCABULARY)}, "w0")).save(str(context / "nemo_tokenizer" / "tokenizer.json"))
    (context / "nemo_tokenizer" / "tokenizer_config.json").write_text('{"tokenizer_class": "PreTrainedTokenizerFast"}')


def save(rank: int, world: int, port: int, family: str, target: str) -> None:
    from megatron.core import dist_checkpointing

    folders.start(rank, world, port, folders.Case())
    from megatron.core.tensor_parallel import random

    from megatron.core.transformer import multi_latent_attention
    from megatron.core.transformer.moe import moe_utils

    moe_utils.te_general_gemm = None  # names that are only defined with Transformer Engine, but asked for without it
    multi_latent_attention.TELinear = PlainAttention
    random.initialize_rng_tracker()
    random._CUDA_RNG_STATE_TRACKER.fork = lambda *_: contextlib.nullcontext()  # random numbers of the GPU, which is not there
    model = model_of(family)
    ids = torch.arange(24).reshape(2, 12) * 7 % VOCABULARY
    mask = torch.triu(torch.ones(1, 1, 12, 12, dtype=torch.bool), 1)
    with torch.no_grad():
        logits = model(ids, torch.arange(12).expand(2, 12), mask)
    torch.save({"ids": ids, "logits": logits[..., :VOCABULARY].clone()}, f"{target}/logits.pt")
    for name, metadata in {"stacked": {}, "layers": {"non_homogeneous_layers": True},
                           "singleton": {"non_homogeneous_layers": True, "singleton_local_shards": True}}.items():
        step = Path(target, name, "iter_0000005")
        step.mkdir(parents=True)
        try:
            state = model.sharded_state_dict(metadata=metadata) | {"args": args_of(family), "iteration": 5, "checkpoint_version": 3.0}
            dist_checkpointing.save(state, str(step))
        except Exception as error:  # noqa: BLE001: not every form is there for every model
            shutil.rmtree(step.parent)
            print(f"{family}: {name} cannot be saved: {type(error).__name__}: {error}", flush=True)
            continue
        (step.parent / "latest_checkpointed_iteration.txt").write_text("5")
    if family in NEMO:
        save_nemo(family, model, Path(target, "nemo"))
    legacy = Path(target, "legacy", "iter_0000005", "mp_rank_00")
    legacy.mkdir(parents=True)
    torch.save({"model": model.state_dict_for_save_checkpoint(), "args": args_of(family), "iteration": 5, "checkpoint_version": 3.0},
               legacy / "model_optim_rng.pt")
    (legacy.parents[1] / "latest_checkpointed_iteration.txt").write_text("5")


def main() -> None:
    import megatron.core.dist_checkpointing.strategies.torch  # noqa: F401
    import megatron.core.models.gpt.gpt_model  # noqa: F401

    target = Path(sys.argv[1])
    for family in sys.argv[2:] or FAMILIES:
        folder = target / family
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        torch.multiprocessing.start_processes(save, (1, folders.free_port(), family, str(folder)), nprocs=1, start_method="fork")
        print("made", family, flush=True)


if __name__ == "__main__":
    main()

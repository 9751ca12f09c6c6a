# SPDX-License-Identifier: Apache-2.0
"""Makes checkpoints with the names of Meta, torchtune, torchtitan and LitGPT, by their own conversions from transformers.

    venv-native/bin/python tests/interop/native_names.py build/interop-native

<case>/run/…: the checkpoint and what is beside it; <case>/published: what save_pretrained writes of the same model.
"""

from __future__ import annotations

import importlib.util
import json
import shutil
import sys
import types
from pathlib import Path

import family_data  # noqa: F401: where the next one is
import published_names
import torch
import torch.distributed.checkpoint as dcp


def module_of(package: str, path: str, name: str):
    """One file of a package whose other files need what is not installed."""
    root = Path(next(folder for folder in sys.path if (Path(folder) / package).is_dir()))
    spec = importlib.util.spec_from_file_location(name, root / package / path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def built(model_type: str, name: str):
    torch.manual_seed(3)
    model = published_names.build(model_type, name)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randn(parameter.shape))
    return model


class Cases:
    def __init__(self, target: Path) -> None:
        self.target = target

    def add(self, case: str, model, state: dict, file: str | None = None, wrap: str | None = None, config: dict | None = None) -> None:
        folder = self.target / case
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "run").mkdir(parents=True)
        model.save_pretrained(folder / "published")
        if config is None:
            shutil.copy(folder / "published" / "config.json", folder / "run")
        else:
            (folder / "run" / "params.json").write_text(json.dumps(config))
        state = {name: tensor.detach().contiguous().clone() for name, tensor in state.items()}
        state = {wrap: state} if wrap else state
        if file:
            torch.save(state, folder / "run" / file)
        else:
            dcp.save(state, checkpoint_id=folder / "run" / "step-3")
        print("made", case, flush=True)


def torchtune_and_meta(cases: Cases) -> None:
    tune = module_of("torchtune", "models/convert_weights.py", "tune_convert")
    sys.modules |= {"torchtune": types.ModuleType("torchtune"), "torchtune.models": types.ModuleType("torchtune.models"),
                    "torchtune.models.convert_weights": tune}
    qwen = module_of("torchtune", "models/qwen2/_convert_weights.py", "tune_qwen2")
    model = built("llama", "LlamaForCausalLM")
    config = model.config
    heads = config.num_attention_heads, config.num_key_value_heads, config.hidden_size
    state = tune.hf_to_tune(model.state_dict(), *heads, config.head_dim)
    cases.add("torchtune_llama", model, state, "model.pt")
    meta = tune.tune_to_meta(state) | {"rope.freqs": torch.ones(4)}
    cases.add("meta_llama", model, meta, "consolidated.00.pth")
    cases.add("meta_llama_params", model, meta, "consolidated.00.pth",
              config={"dim": config.hidden_size, "n_layers": config.num_hidden_layers, "n_heads": heads[0], "n_kv_heads": heads[1], "vocab_size": -1,
                      "norm_eps": config.rms_norm_eps, "rope_theta": 10000.0, "multiple_of": 256})
    model = built("qwen2", "Qwen2ForCausalLM")
    heads = model.config.num_attention_heads, model.config.num_key_value_heads, model.config.hidden_size
    cases.add("torchtune_qwen2", model, qwen.qwen2_hf_to_tune(model.state_dict(), *heads, tie_word_embeddings=False), "model.pt")


def torchtitan(cases: Cases) -> None:
    from types import SimpleNamespace as Names

    from torchtitan.models.deepseek_v3.state_dict_adapter import DeepSeekV3StateDictAdapter
    from torchtitan.models.llama3.state_dict_adapter import Llama3StateDictAdapter
    from torchtitan.models.qwen3.state_dict_adapter import Qwen3StateDictAdapter

    def converted(adapter, model, state: dict) -> dict:
        config = model.config
        experts = Names(num_experts=4)
        layer = Names(moe=experts, attention=Names(n_heads=config.num_attention_heads, n_kv_heads=config.num_key_value_heads, head_dim=None, q_lora_rank=1))
        made = adapter(Names(layers=[layer] * 3, dim=config.hidden_size, enable_weight_tying=False), None)
        made._validate_hf_rope_config = lambda *_: None
        return made.from_hf(state)

    model = built("llama", "LlamaForCausalLM")
    state = converted(Llama3StateDictAdapter, model, model.state_dict())
    cases.add("torchtitan_llama", model, state)
    cases.add("torchtitan_llama_model", model, state, wrap="model")
    model = built("qwen3", "Qwen3ForCausalLM")
    cases.add("torchtitan_qwen3", model, converted(Qwen3StateDictAdapter, model, model.state_dict()))
    for case, adapter, kind in (("torchtitan_qwen3_moe", Qwen3StateDictAdapter, ("qwen3_moe", "Qwen3MoeForCausalLM")),
                                ("torchtitan_deepseek_v3", DeepSeekV3StateDictAdapter, ("deepseek_v3", "DeepseekV3ForCausalLM"))):
        model = built(*kind)
        folder = cases.target / "tmp"
        model.save_pretrained(folder)
        from safetensors.torch import load_file
        cases.add(case, model, converted(adapter, model, load_file(folder / "model.safetensors")))
        shutil.rmtree(folder)


def litgpt(cases: Cases) -> None:
    from litgpt import Config
    from litgpt.scripts import convert_hf_checkpoint as lit

    def config_of(model, **more):
        c = model.config
        return Config(name="tiny", n_embd=c.hidden_size, n_head=c.num_attention_heads, n_layer=c.num_hidden_layers, bias=False,
                      n_query_groups=getattr(c, "num_key_value_heads", c.num_attention_heads), padded_vocab_size=c.vocab_size,
                      intermediate_size=c.intermediate_size, mlp_class_name="LLaMAMLP", norm_class_name="RMSNorm", **more)

    for case, kind, copy, more in (
            ("litgpt_llama", ("llama", "LlamaForCausalLM"), lit.copy_weights_hf_llama, {}),
            ("litgpt_qwen2", ("qwen2", "Qwen2ForCausalLM"), lit.copy_weights_qwen_2_5, {"attn_bias": True}),
            ("litgpt_gpt_neox", ("gpt_neox", "GPTNeoXForCausalLM"), lit.copy_weights_gpt_neox, {})):
        model = built(*kind)
        folder = cases.target / "tmp"
        model.save_pretrained(folder)
        from safetensors.torch import load_file
        hf = load_file(folder / "model.safetensors")
        if model.config.tie_word_embeddings:
            hf["lm_head.weight"] = hf["model.embed_tokens.weight"]
        state: dict = {}
        config = config_of(model, **more)
        extra = ({},) if copy is not lit.copy_weights_gpt_neox else ()
        copy(config, *extra, state, hf)
        shutil.rmtree(folder)
        cases.add(case, model, state, "lit_model.pth", wrap="model")


def main() -> None:
    cases = Cases(Path(sys.argv[1]))
    cases.target.mkdir(parents=True, exist_ok=True)
    torchtitan(cases)
    litgpt(cases)
    torchtune_and_meta(cases)


if __name__ == "__main__":
    main()

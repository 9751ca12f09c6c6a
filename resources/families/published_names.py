#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes published_recipes.txt: how the tensors of a model in memory (the names of state_dict(), which every FSDP, DCP, DeepSpeed and
Lightning save has) become those that save_pretrained publishes, for each class of transformers whose names differ.

    published_names.py [OUTPUT | --check FILE] [I/N] [CLASS ...]

Each class is built with a tiny config and random weights and saved; every published tensor is found again, by its bytes, as a tensor in memory or a part
of one (an index of the first dimension, a half or third, transposed), and the numbers in the names are generalised. A class whose published tensors are
not all found that way is left out and reported.
"""
import hashlib
import json
import os
import re
import tempfile
import warnings

os.environ.setdefault("HF_HUB_OFFLINE", "1")
import records  # noqa: E402
import torch  # noqa: E402
import transformers  # noqa: E402
from safetensors.torch import load_file  # noqa: E402
from transformers import PreTrainedConfig  # noqa: E402
from transformers.conversion_mapping import get_model_conversion_mapping  # noqa: E402
from transformers.models.auto import modeling_auto as auto  # noqa: E402
from transformers.models.auto.configuration_auto import CONFIG_MAPPING, CONFIG_MAPPING_NAMES  # noqa: E402

warnings.filterwarnings("ignore")
transformers.logging.set_verbosity(transformers.logging.CRITICAL)

SMALL = {
    "hidden_size": 32, "d_model": 32, "n_embd": 32, "embed_dim": 32, "dim": 32, "embedding_size": 32, "projection_dim": 16, "hidden_dim": 32,
    "num_hidden_layers": 3, "n_layer": 3, "num_layers": 3, "encoder_layers": 2, "decoder_layers": 2, "n_layers": 3, "depth": 3, "encoder_num_layers": 2,
    "num_attention_heads": 4, "n_head": 4, "num_heads": 4, "encoder_attention_heads": 4, "decoder_attention_heads": 4, "n_heads": 4,
    "num_key_value_heads": 2, "head_dim": 8, "intermediate_size": 48, "moe_intermediate_size": 24, "shared_expert_intermediate_size": 24,
    "ffn_dim": 48, "n_inner": 48, "d_ff": 48, "encoder_ffn_dim": 48, "decoder_ffn_dim": 48, "vocab_size": 96, "num_experts": 4,
    "num_local_experts": 4, "n_routed_experts": 4, "moe_num_experts": 4, "num_experts_per_tok": 2, "moe_topk": 2, "moe_k": 2, "n_group": 2,
    "topk_group": 1, "q_lora_rank": 12, "kv_lora_rank": 12, "qk_rope_head_dim": 8, "qk_nope_head_dim": 8, "v_head_dim": 8, "qk_head_dim": 16,
    "max_position_embeddings": 64, "image_size": 32, "patch_size": 8, "shared_intermediate_size": 24, "expert_ffn_size": 24, "out_hidden_size": 32,
    "num_moe_layers": 2, "first_k_dense_replace": 1, "mlp_hidden_size": 48, "kv_channels": 8, "moe_shared_expert_intermediate_size": 24,
    "num_nextn_predict_layers": 0, "linear_num_value_heads": 4, "linear_num_key_heads": 2, "linear_key_head_dim": 8, "linear_value_head_dim": 8,
    "mamba_d_state": 4, "mamba_dt_rank": 4, "mamba_n_heads": 4, "mamba_d_head": 16, "mamba_n_groups": 1, "ssm_state_size": 4, "n_groups": 1,
    "mamba_num_heads": 4, "mamba_head_dim": 16, "num_labels": 2, "moe_layer_start_index": 1, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2,
    "hidden_size_per_layer_input": 8, "vocab_size_per_layer_input": 96, "image_token_id": 5, "image_token_index": 5, "video_token_id": 6,
    "audio_token_id": 7, "vision_start_token_id": 8, "vision_end_token_id": 9, "num_mel_bins": 16, "encoder_layerdrop": 0.0, "expert_intermediate_size": 24,
    "moe_dim": 24, "ffn_hidden_size": 48, "expert_ffn_hidden_size": 24, "zero_expert_num": 2, "n_shared_experts": 1, "encoder_in_dim": 32, "indexer_head_dim": 8, "index_head_dim": 8, "index_n_heads": 2, "index_topk": 4, "num_channels": 3, "tubelet_size": 2, "num_frames": 4,
}
LARGEST = 200_000_000  # parameters of a model that is built here
#: what some types or classes need besides: a backbone that is not another library's, layers of each kind
NEEDS = {name: {"use_timm_backbone": False, "use_pretrained_backbone": False, "backbone": None, "backbone_config": ("resnet", {"out_features": ["stage4"]})}
         for name in ("detr", "conditional_detr", "deformable_detr", "table-transformer", "dab-detr")} | {
    "dots1": {"n_shared_experts": 1, "n_routed_experts": 4},
    "lfm2_moe": {"num_hidden_layers": 3, "layer_types": ["conv", "full_attention", "conv"], "num_dense_layers": 1},
    "BeitForSemanticSegmentation": {"out_indices": [3, 5, 7, 11]},
    "ReformerModelWithLMHead": {"is_decoder": True},
    "T5GemmaEncoderModel": {"is_encoder_decoder": False},
    "gemma3n_text": {"num_hidden_layers": 3, "num_kv_shared_layers": 0, "activation_sparsity_pattern": [0.0] * 3},
}
TABLES = [name for name in dir(auto) if name.startswith("MODEL_") and name.endswith("MAPPING_NAMES")]


def shrink(config):
    for key, value in list(vars(config).items()):
        if isinstance(value, PreTrainedConfig):
            shrink(value)
        elif key in SMALL and (value is None or isinstance(value, (int, float))) and not isinstance(value, bool):
            if value is not None or key not in ("n_inner", "projection_dim", "q_lora_rank", "n_shared_experts"):
                of_stages = key == "embed_dim" and isinstance(getattr(config, "num_heads", None), (list, tuple))  # 3 heads, 6, 12
                setattr(config, key, 48 if of_stages else SMALL[key])
    layers = getattr(config, "num_hidden_layers", None)
    for key in ("layer_types", "mlp_layer_types", "layers_block_type"):
        kinds = getattr(config, key, None)
        if isinstance(kinds, list) and isinstance(layers, int) and kinds:
            unique = list(dict.fromkeys(kinds))
            try:
                setattr(config, key, (unique * layers)[:layers] if len(unique) <= layers else kinds[:layers])
            except AttributeError:
                pass  # computed from other fields
    if isinstance(layers, int) and len(getattr(config, "stage_names", None) or []) > layers + 1:  # a stage for each layer, after the stem
        config.stage_names = config.stage_names[: layers + 1]
        config.set_output_features_output_indices(None, None)
    if config.model_type == "mamba2":  # which refuses other values
        config.num_heads = config.hidden_size * config.expand // config.head_dim
    return config


def classes():
    """(model type, class name) in a fixed order. A class of several types has other names for some: Exaone's are those of Llama in memory."""
    found = set()
    for table in TABLES:
        for model_type, names in getattr(auto, table).items():
            for name in [names] if isinstance(names, str) else names:
                if hasattr(transformers, name) and model_type in CONFIG_MAPPING_NAMES:
                    found.add((own_type(model_type, name), name))
    return sorted(found)


def own_type(model_type, name):
    """The type of the config that a class has: that of its part, if the type's config is one of several parts."""
    try:
        own = getattr(transformers, name).config_class
        kind = CONFIG_MAPPING[model_type]
    except (ImportError, AttributeError):
        return model_type  # it cannot be built here, which is reported then
    parts = getattr(kind, "sub_configs", {})
    if own is not None and own is not kind and own in parts.values() and own.model_type in CONFIG_MAPPING_NAMES:
        return own.model_type
    return model_type


def digest(tensor):
    return hashlib.sha1(str(tuple(tensor.shape)).encode() + tensor.reshape(-1).view(torch.uint8).numpy().tobytes()).digest()


def parts_of(tensor):
    """Every part that a publisher may cut out: (operations, part)."""
    yield "", tensor
    if tensor.dim() == 2:
        yield "swap 0 1", tensor.t()
    for count in (2, 3):
        if tensor.dim() and tensor.shape[0] % count == 0 and tensor.shape[0] > 1:
            for i in range(count):
                yield f"slice 0 d0/{count}*{i} d0/{count}", tensor.chunk(count, 0)[i]
    if tensor.dim() >= 2 and tensor.dim() <= 4 and tensor.shape[0] <= 16:
        for e in range(tensor.shape[0]):
            part = tensor[e]
            yield f"each 0 e#{e}", part
            if part.dim() == 2:
                yield f"each 0 e#{e}; swap 0 1", part.t()
                for dim in (0, 1):
                    if part.shape[dim] % 2 == 0:
                        for i in range(2):
                            half = part.chunk(2, dim)[i]
                            yield f"each 0 e#{e}; slice {dim} d{dim}/2*{i} d{dim}/2", half
                            yield f"each 0 e#{e}; slice {dim} d{dim}/2*{i} d{dim}/2; swap 0 1", half.t()
    if tensor.dim() == 3:
        yield "swap 1 2", tensor.transpose(1, 2)
        for i in range(2):
            if tensor.shape[1] % 2 == 0:
                yield f"slice 1 d1/2*{i} d1/2", tensor.chunk(2, 1)[i]


NUMBER = re.compile(r"(?<![A-Za-z0-9_])\d+(?![A-Za-z0-9_])")


def generalise(stored, ops, published, literal=False):
    """A rule for one pair of names; None if the published name has numbers of unknown origin, unless they are taken as they are."""
    letters = iter("ijkl")
    known = []

    def letter(match):
        known.append((match.group(), next(letters)))
        return "{" + known[-1][1] + "}"

    source = NUMBER.sub(letter, stored)
    index = re.search(r"e#(\d+)", ops)
    if index:
        known.append((index.group(1), "e"))
        ops = ops.replace(index.group(), "e")
    left = list(known)
    parts = []
    at = 0
    for match in NUMBER.finditer(published):
        place = next((i for i, (text, _) in enumerate(left) if text == match.group()), None)
        if place is None and not literal:
            return None
        if place is None:  # a module of a sequence: proj.0
            parts.append(published[at:match.end()])
            at = match.end()
            continue
        parts.append(published[at:match.start()] + "{" + left[place][1] + "}")
        del left[place]
        at = match.end()
    return source, "".join(parts) + published[at:], ops


def joined(name, tensor, memory):
    """Rules whose source is several tensors, one behind the other; as a list of at most one."""
    def after(row, most):
        """Names of tensors that follow each other from this row on."""
        if row == tensor.shape[0]:
            return []
        for stored, part in memory.items() if most else ():
            fits = part.dim() == tensor.dim() and 0 < part.shape[0] <= tensor.shape[0] - row and part.shape[1:] == tensor.shape[1:]
            if fits and part.dtype == tensor.dtype and torch.equal(tensor[row:row + part.shape[0]], part):
                rest = after(row + part.shape[0], most - 1)
                if rest is not None:
                    return [stored, *rest]
        return None

    found = after(0, 4) if tensor.dim() else None
    rules = [generalise(stored, "", name) for stored in found or []]
    if len(rules) > 1 and all(rules) and len({rule[1] for rule in rules}) == 1:
        return [("\n  + ".join(rule[0] for rule in rules) + "\n  & concat 0", rules[0][1], "")]
    return []


def expression(pattern):
    """A pattern as a regular expression with a group for each number and for the rest."""
    return re.compile(re.sub(r"\\\{[a-z]\\\}", r"(\\d+)", re.escape(pattern)).replace(re.escape("{*}"), "(.+)") + "$")


def renamed(name, source, target):
    """The name by a rule without operations; None if it does not match."""
    match = expression(source).match(name)
    if not match:
        return None
    for letter, text in zip(re.findall(r"\{[a-z*]\}", source), match.groups()):
        target = target.replace(letter, text, 1)
    return target


def shorten(rules, memory, published, places):
    """Says with {*} what all names with one beginning have in common, so that a model whose parts have other tensors is named right, too."""
    results = {}
    for name, tensor in published.items():
        for stored, ops in places.get(digest(tensor), []):
            if not ops:
                results.setdefault(stored, set()).add(name)
    for source, targets in list(rules.items()):
        if list(targets.values()) != [""] or source not in rules or "\n" in source:
            continue
        left, right = source.split("."), next(iter(targets)).split(".")
        common = 0
        while common < min(len(left) - 1, len(right)) and left[-1 - common] == right[-1 - common]:
            common += 1
        for take in range(common, 0, -1):
            short = ".".join([*left[:len(left) - take], "{*}"]), ".".join([*right[:len(right) - take], "{*}"])
            new = {name: renamed(name, *short) for name in memory}
            if all(want is None or want in results.get(name, {want}) for name, want in new.items()):
                for other in [r for r in rules if expression(short[0]).match(r.replace("{", "").replace("}", "")) or r == source]:
                    if list(rules[other].values()) == [""]:
                        del rules[other]
                rules[short[0]] = {short[1]: ""}
                break


def rules_of(model):
    """The rules of one model as text, or the reason why there are none."""
    generator = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for tensor in list(model.parameters()) + list(model.buffers()):
            if tensor.is_floating_point():
                tensor.copy_(torch.rand(tensor.shape, generator=generator))
    memory = {k: v.detach().clone() for k, v in model.state_dict().items()}
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder, max_shard_size="10GB")
        published = load_file(os.path.join(folder, "model.safetensors"))
    if all(k in memory and torch.equal(memory[k], v) for k, v in published.items()):
        return ""
    places = {}
    for name, tensor in memory.items():
        for ops, part in parts_of(tensor):
            places.setdefault(digest(part), []).append((name, ops))
    rules = {}
    for name, tensor in sorted(published.items()):
        if name in memory and memory[name].shape == tensor.shape and torch.equal(memory[name], tensor):
            continue
        pairs = places.get(digest(tensor), [])
        options = [rule for stored, ops in pairs if (rule := generalise(stored, ops, name))] or joined(name, tensor, memory)
        options = options or [generalise(stored, ops, name, literal=True) for stored, ops in pairs]
        if not options:
            return None, f"{name} {list(tensor.shape)} was not found"
        source, target, ops = min(options, key=lambda o: (len(o[2]), o[0], o[1]))
        rules.setdefault(source, {})[target] = ops
    shorten(rules, memory, published, places)
    for source, targets in rules.items():
        if len(targets) > 1 and "" in targets.values():
            return None, f"{source} becomes {' and '.join(targets)}"
    for source, targets in rules.items():  # a name that only sometimes changes cannot be told by its pattern
        if "\n" in source:
            continue
        pattern = expression(source)
        for name, tensor in memory.items():
            if pattern.match(name) and name in published and torch.equal(published[name], tensor):
                return None, f"{source} changes only in some layers"
    return "\n".join(source + "".join("\n  -> " + target + (" | " + ops if ops else "") for target, ops in targets.items())
                     for source, targets in rules.items())


def untied(config):
    for value in list(vars(config).values()):
        if isinstance(value, PreTrainedConfig):
            untied(value)
    config.tie_word_embeddings = False
    return config


def build(model_type, name, tied=True, small=True):
    needs = {key: CONFIG_MAPPING[value[0]](**value[1]) if isinstance(value, tuple) else value for key, value in (NEEDS.get(model_type, {}) | NEEDS.get(name, {})).items()}
    config = CONFIG_MAPPING[model_type](**needs)
    config = shrink(config) if small else config
    config = config if tied else untied(config)
    cls = getattr(transformers, name)
    return cls(config).eval()


def sources_of(rules):
    """The names that rules begin with."""
    return [line for line in rules.splitlines() if not line.startswith(" ")] if isinstance(rules, str) else []


def collect(only):
    found = {}
    skipped = []
    for model_type, name in classes():
        if only and name not in only:
            continue
        try:
            with torch.device("meta"):
                probe = build(model_type, name)
            if not get_model_conversion_mapping(probe, add_legacy=False):
                continue
            size = sum(p.numel() for p in probe.parameters())
            if size > LARGEST:
                raise ValueError(f"its smallest config has {size} parameters")
            rules = rules_of(build(model_type, name))
            if any(any(expression(source).match(key) for source in sources_of(rules)) for key in probe.all_tied_weights_keys or {}):
                rules = rules_of(build(model_type, name, tied=False))  # what is tied has the bytes, but not the name, of another tensor
        except Exception as error:  # noqa: BLE001: reported below
            skipped.append((name, f"{type(error).__name__}: {str(error).splitlines()[0][:120] if str(error) else ''}"))
            continue
        if isinstance(rules, tuple):
            skipped.append((name, rules[1]))
        elif rules:
            found.setdefault(rules, []).append((name, model_type))
    return found, skipped


def text_of(found):
    blocks = []
    for rules, models in sorted(found.items(), key=lambda item: item[1]):
        names = " ".join(name for name, _ in models)
        types = " ".join(sorted({model_type for _, model_type in models}))
        blocks.append(records.block({"classes": names, "types": types}, rules))
    return records.joined(f"Written by resources/families/published_names.py from transformers {transformers.__version__}; not by hand.", blocks)


if __name__ == "__main__":
    records.main(collect, text_of, transformers.__version__, lambda: [name for _, name in classes()])

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/folder.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Classifies the files of a DeepSpeed folder by name. Pure. Source: deepspeed/runtime/engine.py
/// (_get_ckpt_name, _get_zero_ckpt_name, _get_expert_ckpt_name), runtime/pipe/module.py
/// (ckpt_layer_path).
namespace cairn::formats::deepspeed {

using Rank = std::uint32_t;

enum class FileKind : std::uint8_t {
    Model,     ///< mp_rank_00_model_states.pt, zero_pp_rank_0_mp_rank_00_model_states.pt
    Optimizer, ///< [bf16_|fp16_]zero_pp_rank_0_mp_rank_00_optim_states.pt
    Layer,     ///< layer_00-model_states.pt, layer_00-model_01-model_states.pt
    Expert,    ///< layer_0_expert_3_mp_rank_00_model_states.pt, expert_3_mp_rank_00_model_states.pt
    ExpertOptimizer, ///< expp_rank_0_mp_rank_00_optim_states.pt
};

struct FileName {
    FileKind kind = FileKind::Model;
    std::string name;
    std::string prefix;     ///< "bf16_", "fp16_" or empty
    std::optional<Rank> dp; ///< data parallel rank
    Rank mp = 0;            ///< model parallel rank; for a layer its tensor parallel rank
    Rank layer = 0;
    Rank expert = 0; ///< for an expert optimizer: the rank among those with different experts
    std::int64_t modifiedNs = 0;
};

/// Empty: not a DeepSpeed file.
std::optional<FileName> parseFileName(std::string_view name);

/// The files of one model parallel rank.
struct RankFiles {
    std::map<Rank, FileName> models; ///< by data parallel rank; ZeRO 0 to 2: only rank 0
    std::map<Rank, FileName> optimizers;
};

/// The files of one save.
struct FileSet {
    std::map<Rank, RankFiles> ranks; ///< by model parallel rank
    std::vector<FileName> layers;    ///< in natural order, like the following
    std::vector<FileName> experts;
    std::vector<FileName> expertOptimizers;
    std::vector<FileName> others;       ///< older duplicates for a rank, from another save
    std::vector<std::string> temporary; ///< "….pt.tmp": unfinished
    bool partitioned = false;           ///< ZeRO 3: each rank has separate model states
    bool universal = false;             ///< has a folder `zero`
};

/// True if the folder is one save, judged by names.
bool isTagFolder(std::span<const FolderEntry> entries);

/// The same, but excludes a universal checkpoint converted from a save, which `latest_universal`
/// names.
bool isOwnSave(std::span<const FolderEntry> entries);

FileSet sortFiles(std::span<const FolderEntry> entries);

/// Model parallel ranks as DeepSpeed writes them: 7 -> "07", 100 -> "100".
std::string twoDigits(Rank rank);

/// "global_step500" -> 500.
std::optional<std::int64_t> stepOfTag(std::string_view tag);

} // namespace cairn::formats::deepspeed

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/families/config/model_config.h"
#include "core/model/checkpoint.h"
#include "core/plan/consolidate.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Finds the small files that a model's library needs beside its weights (sidecar_names.h). Reads;
/// nothing that is found is executed. Any thread.
namespace cairn {

struct SidecarSearch {
    std::vector<Sidecar> files;
    std::vector<PlanDecision> decisions; ///< which files are from where, and what was left out
    std::vector<PlanProblem> problems;   ///< errors: unreadable; warnings: too large or missing
};

inline constexpr std::uint64_t kMaxSidecar = std::uint64_t{64} << 20U;   ///< bytes of one file
inline constexpr std::uint64_t kMaxSidecars = std::uint64_t{256} << 20U; ///< bytes of all
inline constexpr std::size_t kMostSidecars = 512;

/// Searches `like`, if it is not empty, then the checkpoint's folder and up to three folders above
/// it, and in each of these the sub-folders that frameworks use. A folder other than the
/// checkpoint's own is used only if it is evidently that of a model: a config.json with
/// "model_type" or "architectures", or a tokenizer. The nearest file of a name is used, but all
/// files of the tokenizer come from one folder, and a licence from that of config.json. Also copies
/// the code that `auto_map` in these files names, and what that imports beside it. Links that lead
/// outside a folder are not followed. `dequantized`: the weights will not be quantised any more, so
/// that files about that are left out. `modules`: files of modules are copied, too. Fails for
/// `like` only: NotFound if there is no such folder or no config.json in it, InvalidArgument if
/// that does not describe a model.
Result<SidecarSearch> findSidecars(const Checkpoint& source, const std::filesystem::path& like = {},
                                   bool dequantized = false, bool modules = false);

/// The fields of a JSON file; empty if there is none or it cannot be read.
std::optional<ModelConfig> sidecarFields(std::span<const Sidecar> sidecars, std::string_view name);

/// Whether a checkpoint has weights beside those of its own folder in sub-folders: modules of
/// sentence-transformers, which loads each from its folder.
bool hasModules(const Checkpoint& source);
/// The tensors of `source` that are in copied files.
std::set<std::string> copiedTensors(const Checkpoint& source, std::span<const Sidecar> sidecars);

/// The config.json that findSidecars() finds for a checkpoint; no other file is read.
struct FoundConfig {
    std::string origin; ///< its path
    ModelConfig fields;
};
std::optional<FoundConfig> findModelConfig(const Checkpoint& source);

} // namespace cairn

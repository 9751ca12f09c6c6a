// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/huggingface/weight_source.h"
#include "core/io/folder.h"
#include "core/model/tensor_entry.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Classifies the files of a Hugging Face folder. Pure: decides by names only.
namespace cairn::formats::huggingface {

/// A file or folder of training state: a separate checkpoint, shown under its stem.
struct StateMember {
    std::string name;
    std::string stem;
    Role role = Role::TrainingState;
    bool folder = false;
    bool component = false; ///< one of several models; skipped if it has no weights
    bool known = false;     ///< written by the frameworks; damage makes the checkpoint incomplete
};

struct Members {
    std::optional<WeightSource> weights;
    std::optional<WeightSource> adapter; ///< a PEFT adapter next to a model's weights
    std::vector<std::string> loose;   ///< files of weights that may contain further weights, judged
                                      ///< by their tensors' names
    std::vector<std::string> folders; ///< sub-folders that may be adapters, judged by their files
    std::vector<StateMember> states;  ///< in natural order
    std::vector<std::string> documents; ///< small JSON files, shown as values
    std::vector<std::string> copies;    ///< the same weights in another format or variant: not read
    std::vector<std::string> unread;    ///< state in formats that are not supported
    bool trainer = false;               ///< has trainer_state.json
    bool pipeline = false;              ///< has diffusers' model_index.json: folders are components
    bool savedState = false; ///< accelerate's save_state; without weights in the folder itself,
                             ///< sub-folders are models
    bool modules = false;    ///< sentence-transformers' modules.json: numbered folders are modules
    std::int64_t ranks = 0;  ///< number of random-state files, one for each rank
};

Members sortMembers(std::span<const FolderEntry> entries);

} // namespace cairn::formats::huggingface

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

/// Which files of a Hugging Face folder are what. Pure: decides by names only.
namespace cairn::formats::huggingface {

/// A file or folder of training state: a checkpoint of its own, shown under its stem.
struct StateMember {
    std::string name;
    std::string stem;
    Role role = Role::TrainingState;
    bool folder = false;
    bool component = false; ///< one model of several; those without weights are passed over
    bool known = false; ///< one that the frameworks write; damage makes the checkpoint incomplete
};

struct Members {
    std::optional<WeightSource> weights;
    std::optional<WeightSource> adapter; ///< of PEFT, beside a model's weights
    std::vector<std::string> loose;      ///< files of weights that may hold others than those: only
                                         ///< their tensors' names record
    std::vector<std::string> folders;    ///< sub-folders that may be adapters: their files record
    std::vector<StateMember> states;     ///< natural order
    std::vector<std::string> documents;  ///< small JSON files, shown as values
    std::vector<std::string> copies; ///< weights once more (another format or variant): not read
    std::vector<std::string> unread; ///< state in formats that are not shown
    bool trainer = false;            ///< has trainer_state.json
    bool pipeline = false;           ///< has diffusers' model_index.json: folders are components
    bool savedState = false;         ///< accelerate's save_state; without weights of its own,
                                     ///< folders are models
    bool modules = false;   ///< sentence-transformers' modules.json: numbered folders are modules
    std::int64_t ranks = 0; ///< files of random states, one for each rank
};

Members sortMembers(std::span<const FolderEntry> entries);

} // namespace cairn::formats::huggingface

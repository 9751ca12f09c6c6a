// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/folder.h"
#include "core/model/tensor_entry.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Which files of a Hugging Face folder are what. Pure: decides by names only.
namespace cairn::formats::huggingface {

/// Where the weights are.
struct WeightSource {
    std::string index;              ///< the index file; empty: there is none
    std::vector<std::string> files; ///< without an index: the files (or one folder) themselves
    std::string expectedIndex;      ///< shards without their index: what it should be called
};

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

/// True if the folder is one of this format's, by names alone.
bool isHuggingFaceFolder(std::span<const FolderEntry> entries);

/// The first of bare pickled shards that nothing but their names describes: they are a model's if
/// it is torch's file.
std::optional<std::string> pickledShard(std::span<const FolderEntry> entries);

Members sortMembers(std::span<const FolderEntry> entries);

/// True if the sub-folder is what PEFT leaves for an adapter that is not called "default":
/// adapter_config.json, the weights and nothing else. A folder with more is a checkpoint of its
/// own.
bool isAdapterFolder(std::span<const FolderEntry> entries);

/// True for a folder that has no file of its own but PEFT's model card: its sub-folders may all be
/// adapters. Not where their names record a position in training, or differ in a number alone:
/// those are checkpoints, one after another.
bool mayHoldAdaptersOnly(std::span<const FolderEntry> entries);

/// True for names of files that hold a complete model: what cannot be read under them may be a
/// copy.
bool isModelName(std::string_view name);

/// What the name of a file of weights states about those that were chosen.
enum class WeightName {
    Same,    ///< a model's or an adapter's, perhaps in another precision ("model.fp16.safetensors")
    Variant, ///< a model's, in a variant that may be other weights ("….non_ema.safetensors")
    Average, ///< "ema.safetensors", "model.ema.safetensors"
    Own,     ///< any other: "critic.safetensors"
};
WeightName weightNameOf(std::string_view name);

/// "optimizer.pt" -> "optimizer"; "model.safetensors.index.fp16.json" is an index.
std::string stemOf(std::string_view name);
bool isIndexName(std::string_view name);

} // namespace cairn::formats::huggingface

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

/// The one table of small files that loaders read beside the weights. Sources: the *_NAME constants
/// and vocab_files_names of transformers' tokenizers, sentence_transformers (modules.json),
/// mistral_common (tekken.json, params.json), Model Optimizer, AutoGPTQ and AutoAWQ.
namespace cairn {

/// Files that belong together: those of a group come from as few folders as possible.
enum class SidecarGroup : std::uint8_t {
    Model,        ///< what the model is: config.json, generation settings, modules
    Quantisation, ///< how the stored weights are quantised
    Tokenizer,    ///< never from two folders: vocabularies of two tokenizers do not fit each other
    Processor,    ///< of images, audio, video
    Adapter,      ///< settings of an adapter whose tensors are beside them
    Module,       ///< weights of a module beside the model's, copied as they are
    Card,         ///< README.md; describes the model only if it is beside the weights
    Licence,      ///< from the folder of config.json
    Code,         ///< a folder of code that a loader runs only if it is told to
};

struct SidecarRow {
    std::string_view pattern; ///< a glob; at most one folder: "1_Pooling/config.json"
    SidecarGroup group = SidecarGroup::Model;
    bool vocabulary = false; ///< a tokenizer cannot exist without one of these
};

std::span<const SidecarRow> sidecarRows();

/// Folders below a checkpoint's or its parents' in which frameworks put these files.
std::span<const std::string_view> sidecarFolders();

/// Whether a file of this name is the vocabulary of a tokenizer.
bool isVocabularyFile(std::string_view name);

} // namespace cairn

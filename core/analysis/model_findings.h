// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/sentence.h"
#include "core/families/config/model_config.h"
#include "core/families/expected/model_fit.h"
#include "core/model/checkpoint.h"

#include <string>
#include <string_view>
#include <vector>

/// Whether the library of a model would load its weights, by names and shapes: for `check` and
/// `info`, where bundles ask the same tables (families/expected) before they are written.
namespace cairn {

/// The model that the weights belong to.
struct CheckedModel {
    const ModelConfig* config = nullptr; ///< null: unknown
    /// The files are those that from_pretrained reads beside this config, so that it would refuse
    /// them or initialise at random what is missing; otherwise another program may read them.
    bool isItsFolder = false;
};

/// Whether the loader of the config's class takes the weights as they are in the config's folder
/// or, elsewhere, without what is in front of all names.
struct ModelAnswer {
    LoaderAnswer answer = LoaderAnswer::Unknown;
    std::string_view model; ///< the class that was compared; empty: none
    Sentence why;           ///< of Undecided and No
    Sentence note;          ///< of the others: what only some loaders accept; may be empty
    std::vector<std::string> leftOut; ///< of Part, sorted
};

struct ModelFindings {
    ModelAnswer answer;
    std::vector<Notice> notices;
};

/// Weights without elements, an adapter inside a model, tensors that the config's class has and
/// the checkpoint lacks, or has with other shapes. Errors if the folder's own loader would fail or
/// initialise weights at random, else warnings. Nothing if the class is not known, unless its
/// loader takes no such names (foreignNames()). No element is read. Linear in tensors.
ModelFindings modelFindings(const Checkpoint& checkpoint, const CheckedModel& model);

} // namespace cairn

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/huggingface/member_adder.h"
#include "core/formats/huggingface/members.h"
#include "core/formats/huggingface/parts.h"

#include <cstdint>
#include <map>
#include <vector>

namespace cairn::formats::huggingface {

/// What the small JSON files of a folder state.
struct FolderDocuments {
    std::vector<ValueItem> values;        ///< each under its stem
    std::vector<ModelPart> parts;         ///< that the model's own document lists
    std::map<std::int64_t, double> rates; ///< learning rates that the Trainer logged, by step
};

/// Reads them; the step and the epoch of trainer_state.json become the checkpoint's. One that
/// cannot be read is a notice.
FolderDocuments readDocuments(MemberAdder& members, const Members& names);

} // namespace cairn::formats::huggingface

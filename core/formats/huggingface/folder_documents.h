// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/huggingface/member_adder.h"
#include "core/formats/huggingface/members.h"
#include "core/formats/huggingface/parts.h"

#include <cstdint>
#include <map>
#include <vector>

namespace cairn::formats::huggingface {

/// The contents of a folder's small JSON files.
struct FolderDocuments {
    std::vector<ValueItem> values;        ///< each under its stem
    std::vector<ModelPart> parts;         ///< listed in the model's own document
    std::map<std::int64_t, double> rates; ///< learning rates that the Trainer logged, by step
};

/// Reads them; sets the checkpoint's step and epoch from trainer_state.json. Unreadable files
/// become notices.
FolderDocuments readDocuments(MemberAdder& members, const Members& names);

} // namespace cairn::formats::huggingface

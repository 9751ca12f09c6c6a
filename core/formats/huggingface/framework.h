// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/huggingface/members.h"
#include "core/model/value.h"

#include <span>
#include <string>

namespace cairn::formats::huggingface {

/// Who wrote the folder, by its files and documents (each under its stem); `adapters`: PEFT's are
/// in sub-folders. Empty: nothing here shows. Pure.
std::string frameworkOf(const Members& members, std::span<const ValueItem> documents,
                        bool adapters);

} // namespace cairn::formats::huggingface

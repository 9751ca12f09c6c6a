// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/huggingface/members.h"
#include "core/model/value.h"

#include <span>
#include <string>

namespace cairn::formats::huggingface {

/// The framework that wrote the folder, judged by its files and documents (each under its stem);
/// `adapters`: PEFT adapters are in sub-folders. Empty: unknown. Pure.
std::string frameworkOf(const Members& members, std::span<const ValueItem> documents,
                        bool adapters);

} // namespace cairn::formats::huggingface

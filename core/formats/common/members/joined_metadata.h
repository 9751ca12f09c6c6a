// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/value.h"

#include <string>
#include <utility>
#include <vector>

namespace cairn::formats {

/// The `__metadata__` of one safetensors file: its name, and its texts by key.
using FileMetadata = std::pair<std::string, std::vector<std::pair<std::string, Value>>>;

/// The `__metadata__` of a checkpoint of several safetensors files, one with nothing in it
/// included. A text that all files have is itself; of another one is written which file has which:
/// {"scale": {"model-00002-of-00002.safetensors": "4"}}. "format" is what the first file says. Null
/// if there is none. Pure; the result is as large as what it is made of, with the name of its file
/// beside every text that not all files have.
Value joinedMetadata(const std::vector<FileMetadata>& files);

} // namespace cairn::formats

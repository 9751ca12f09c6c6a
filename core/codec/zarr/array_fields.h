// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/sentence.h"
#include "core/codec/json/json_value.h"
#include "core/codec/zarr/array_info.h"

/// Private to this folder.
namespace cairn::zarr {

Error badField(std::string field, Sentence found);
Error unsupported(std::string field, Sentence found);

/// A value in a message: its text if it is short.
std::string shortText(const JsonValue* value);

/// A list of non-negative (`least` 0) or positive (`least` 1) extents. Fails: ZarrBadMetadata.
Result<std::vector<std::int64_t>> extents(const JsonValue* value, std::string_view field,
                                          std::int64_t least);

/// Type strings of version 2 ("<f4", "bfloat16") and data types of version 3 ("float32").
std::optional<ElementType> elementTypeV2(std::string_view text);
std::optional<ElementType> elementTypeV3(std::string_view text);

/// Reads `fill_value`: one element's bytes in the stored order, zeros if there is none. REQUIRES:
/// the element type is set. Fails: ZarrBadMetadata.
Result<void> takeFill(const JsonValue& root, ArrayInfo& info);

Result<ArrayInfo> parseV2(const JsonValue& root);
Result<ArrayInfo> parseV3(const JsonValue& root);

} // namespace cairn::zarr

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/byte_source.h"
#include "core/model/header_edit.h"

namespace cairn::formats::safetensors {

/// The file's header with other names and metadata. Order, offsets and whatever else a tensor's
/// entry holds stay as they are, byte for byte; blanks between entries go, and room that is left is
/// filled with spaces at the end, which the format allows. Ties that save_model noted are renamed
/// with their tensors.
/// Fails besides readSafetensorsHeader(): the header's own damage; DuplicateTensor when two tensors
/// would have one name; NameNotRepresentable; InvalidArgument for a key to be unset that is not
/// there; NotInPlace for names in one rank's share of a set that torch's HuggingFaceStorageWriter
/// cut; LimitExceeded.
Result<EditedHeader> editHeader(const ByteSource& source, const HeaderChanges& changes);

} // namespace cairn::formats::safetensors

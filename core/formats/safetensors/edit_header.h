// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/byte_source.h"
#include "core/model/header_edit.h"

namespace cairn::formats::safetensors {

/// The file's header with changed names and metadata. Order, offsets and all other parts of an
/// entry stay unchanged, byte for byte; spaces between entries are removed, and unused room is
/// filled with spaces at the end, which the format allows. Ties that save_model recorded are
/// renamed with their tensors. Fails with the errors of readSafetensorsHeader(); with the header's
/// own damage; DuplicateTensor if two tensors would get the same name; NameNotRepresentable;
/// InvalidArgument for a missing key that should be unset; NotInPlace for names in one rank's file
/// of a set by torch's HuggingFaceStorageWriter; LimitExceeded.
Result<EditedHeader> editHeader(const ByteSource& source, const HeaderChanges& changes);

} // namespace cairn::formats::safetensors

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/hdf5/hdf5_index.h"
#include "core/model/checkpoint.h"

#include <memory>

namespace cairn::formats::keras {

/// The codec of a dataset's chunks: a piece's bytes are a stored chunk. Located elements are those
/// of the complete chunk; nothing is decoded before they are read. One codec per dataset.
std::shared_ptr<const PieceCodec> makeChunkCodec(const hdf5::Dataset& dataset);

} // namespace cairn::formats::keras

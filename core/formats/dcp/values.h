// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/formats/dcp/index.h"
#include "core/formats/dcp/subclass_items.h"
#include "core/model/checkpoint.h"

#include <string>
#include <vector>

/// The plain values of a checkpoint, at the nested places where the training loop had them. Private
/// to this folder.
namespace cairn::formats::dcp {

/// Sets CheckpointData::loadValues, and adds the tensors that are inside bytes items (a tuple with
/// a tensor in it, a NumPy array) as entries of their own. For that, bytes items above kLargeItem
/// are read now, and all of them when there are at most kFewItems; the others are read when the
/// values are asked for, at the places that the index's nesting shows. REQUIRES: data.files begins
/// with the shards, `shardCount` of them; `expanded` is what expandSubclasses() gave.
void prepareValues(CheckpointData& data, DcpIndex index, ExpandedTensors expanded,
                   std::size_t shardCount, const CancelToken& cancel);

inline constexpr std::uint64_t kLargeItem = 4096;
inline constexpr std::size_t kFewItems = 512;

/// A loader that puts a companion's values (meta.pt, common.pt) at the top level, beside those of
/// `own`. Tensor references of the companion are moved by `shift`.
ValueLoader withCompanion(ValueLoader own, CheckpointPtr companion, std::uint32_t shift);

} // namespace cairn::formats::dcp

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/byte_source.h"
#include "core/runs/history/history.h"

#include <string>

namespace cairn::history::wandb {

/// True for the head of a `.wandb` file, ":W&B" and its magic number.
bool isLogHead(std::span<const std::byte> head);

/// What the run is called, as in its first records; empty: not recorded.
std::string runNameIn(const ByteSourcePtr& source);

/// Every number of every history row, in file order, and the config. Damage is a warning. Fails as
/// ByteSource::readAt when nothing could be read, with ChangedOnDisk and Cancelled; NotACheckpoint
/// when the head is another's, Unsupported for another version.
Result<HistoryPart> readLog(const ByteSourcePtr& source, const CancelToken& cancel);

} // namespace cairn::history::wandb

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/byte_source.h"
#include "core/runs/history/history.h"

#include <string>

namespace cairn::history::wandb {

/// True for the header of a `.wandb` file, ":W&B" and its magic number.
bool isLogHead(std::span<const std::byte> head);

/// The run's name in its first records; empty: not recorded.
std::string runNameIn(const ByteSourcePtr& source);

/// Every number of every history row, in file order, and the config. Damage becomes a warning.
/// Fails as ByteSource::readAt if nothing could be read, with ChangedOnDisk and Cancelled;
/// NotACheckpoint for another header, Unsupported for another version.
Result<HistoryPart> readLog(const ByteSourcePtr& source, const CancelToken& cancel);

/// The same of a file that grows.
std::unique_ptr<GrowingHistory> followLog();

} // namespace cairn::history::wandb

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/history/history.h"

namespace cairn::history::swanlab {

/// Whether these are the first bytes of a log.
bool isLogHead(std::span<const std::byte> head);

/// The scalars of a log. Damage becomes a warning. Fails: Cancelled, and as ByteSource::readAt.
Result<HistoryPart> readLog(const ByteSourcePtr& source, const CancelToken& cancel);

/// The name of the run, from its first records; empty if they do not have it.
std::string runNameIn(const ByteSourcePtr& source);

} // namespace cairn::history::swanlab

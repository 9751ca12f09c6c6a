// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/byte_source.h"
#include "core/runs/history/history.h"

namespace cairn::history::tensorboard {

/// Every scalar of an event file, in file order. Damage becomes a warning; a read error ends the
/// reading with a warning if something was read before it. Fails as ByteSource::readAt if nothing
/// could be read, with ChangedOnDisk and with Cancelled.
Result<HistoryPart> readEvents(const ByteSourcePtr& source, const CancelToken& cancel);

/// The same of a file that grows.
std::unique_ptr<GrowingHistory> followEvents();

} // namespace cairn::history::tensorboard

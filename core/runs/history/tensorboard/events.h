// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/byte_source.h"
#include "core/runs/history/history.h"

namespace cairn::history::tensorboard {

/// Every scalar of an event file, in file order. Damage is a warning; an unreadable place ends the
/// reading with a warning when something was read before it. Fails as ByteSource::readAt when
/// nothing could be read, with ChangedOnDisk and with Cancelled.
Result<HistoryPart> readEvents(const ByteSourcePtr& source, const CancelToken& cancel);

} // namespace cairn::history::tensorboard

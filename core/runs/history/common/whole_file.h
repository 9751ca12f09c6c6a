// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/runs/history/history.h"

#include <string>

namespace cairn::history {

/// Reads a small file as text. Fails: LimitExceeded above `limit` bytes, Cancelled, and as
/// Folder::openFile and ByteSource::readAt.
Result<std::string> readCompleteFile(const Folder& folder, std::string_view name,
                                     std::uint64_t limit, const CancelToken& cancel);

} // namespace cairn::history

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/sentence.h"
#include "core/runs/history/history.h"

/// Logs that a limit kept from being read completely. Pure.
namespace cairn {

/// Why the best checkpoint may be another one than the curves show; empty: the logs were read
/// completely, or only settings are missing.
Sentence unreadLogs(const RunHistory& history);

} // namespace cairn

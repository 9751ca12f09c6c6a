// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/history/history.h"

namespace cairn::history::csv {

/// For readers of folders with tables.
extern const HistoryReader kReader;

} // namespace cairn::history::csv

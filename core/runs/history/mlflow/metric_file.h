// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/byte_source.h"
#include "core/runs/history/common/series_table.h"

#include <vector>

namespace cairn::history::mlflow {

/// One file of `metrics/`: lines "timestamp-in-ms value step"; further fields of MLflow 3 (data
/// set, model) are ignored; files before MLflow 1.0 have no step (then 0). Adds all points to the
/// metric's column, in file order; damage goes to `notices`. Returns the number of bytes read.
/// Fails as ByteSource::readAt and with Cancelled.
Result<std::uint64_t> readMetricFile(const ByteSourcePtr& source, std::string_view metric,
                                     SeriesTable& table, std::vector<Notice>& notices,
                                     const CancelToken& cancel);

} // namespace cairn::history::mlflow

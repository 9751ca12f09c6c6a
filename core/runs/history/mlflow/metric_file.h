// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/byte_source.h"
#include "core/runs/history/common/series_table.h"

#include <vector>

namespace cairn::history::mlflow {

/// One file of `metrics/`: lines "timestamp-in-ms value step", of which MLflow 3 may write more
/// fields (data set, model) that are not read; files before MLflow 1.0 have no step (then 0). Adds
/// every point to the metric's column, in file order; damage goes to `notices`. Gives the bytes
/// read. Fails as ByteSource::readAt and with Cancelled.
Result<std::uint64_t> readMetricFile(const ByteSourcePtr& source, std::string_view metric,
                                     SeriesTable& table, std::vector<Notice>& notices,
                                     const CancelToken& cancel);

} // namespace cairn::history::mlflow

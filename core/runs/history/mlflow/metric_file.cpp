// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/mlflow/metric_file.h"

#include "core/runs/history/common/damage.h"
#include "core/runs/history/common/line_reader.h"

#include <charconv>
#include <optional>

namespace cairn::history::mlflow {
namespace {

/// Removes the text up to the next space from `line` and returns it; empty at the end.
std::string_view takeField(std::string_view& line) {
    const std::size_t end = std::min(line.find(' '), line.size());
    const std::string_view field = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
    return field;
}

/// A number as Python writes it, including "nan", "inf" and "-inf".
template <class Number> std::optional<Number> numberOf(std::string_view text) {
    Number value{};
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    return error == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

struct MetricPoint {
    RowPlace place;
    double value = 0;
};

std::optional<MetricPoint> pointOf(std::string_view line) {
    const auto timestamp = numberOf<double>(takeField(line));
    const auto value = numberOf<double>(takeField(line));
    const auto step =
        line.empty() ? std::optional<std::int64_t>(0) : numberOf<std::int64_t>(takeField(line));
    if (!timestamp || !value || !step) {
        return std::nullopt;
    }
    MetricPoint point{{kNothing, kNothing, *timestamp / 1000}, *value};
    point.place.step = *step;
    return point;
}

} // namespace

Result<std::uint64_t> readMetricFile(const ByteSourcePtr& source, std::string_view metric,
                                     SeriesTable& table, std::vector<Notice>& notices,
                                     const CancelToken& cancel) {
    LineReader lines(source, cancel);
    const std::size_t column = table.column(metric);
    Damage broken;
    Damage cut;
    while (!table.full() && lines.next()) {
        if (!lines.ended()) {
            cut.add(lines.offset()); // a truncated number would be a different number
            continue;
        }
        if (const auto point = pointOf(lines.line())) {
            table.add(column, point->place, point->value);
        } else {
            broken.add(lines.offset());
        }
    }
    if (lines.skippedLines() > 0) {
        broken.add(0, lines.skippedLines());
    }
    broken.report(notices, ErrorCode::BadEncoding, "Lines that are not points were skipped",
                  source->name(), "lines");
    cut.report(notices, ErrorCode::Truncated, "The last line is truncated and was skipped",
               source->name(), "line");
    CAIRN_CHECK(lines.status());
    return lines.bytesRead();
}

} // namespace cairn::history::mlflow

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_content.h"
#include "ui/charts/run_axis.h"
#include "ui/navigator/run_place.h"

#include <QString>
#include <QStringList>

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Converts run histories to chart content. GUI thread; reads no file.
namespace cairn::ui {

/// One run among those that are shown.
struct ChartedRun {
    std::shared_ptr<const RunHistory> history; ///< never null
    RunPlace place;
    QString letter; ///< empty if there is only one run
    int series = 0;
    std::shared_ptr<const RunAxis> axis;

    /// With the letter and the colour of its mark.
    void setPlace(const RunPlace& marked);
};

/// The curve of a name on the run's axis, from the source with the most points; empty if it has no
/// positions there.
std::optional<ChartCurve> chartCurve(const ChartedRun& run, std::string_view name);

/// Marks of the run's checkpoints, except links and those without a position on the axis.
std::vector<ChartTick> chartTicks(const ChartedRun& run, const std::filesystem::path& selected);

/// The tooltip of a checkpoint of one of these runs: what was decided about it, with the evidence.
QString tickWords(std::span<const ChartedRun> runs, const std::filesystem::path& checkpoint);

/// Adds the curve of the same measure on held-out data, if the chart shows one training curve and
/// the run has such a curve with the same kind of steps: "eval_loss" next to "loss".
void addHeldOutCurve(ChartContent& content, const ChartedRun& run, const std::string& name);

/// The metric of one run, or of several under one name.
ChartContent chartContent(const std::vector<ChartedRun>& runs, const std::string& name,
                          const std::filesystem::path& selected);
/// The same if the runs use different names. The chart's name is the first run's.
ChartContent chartContent(const std::vector<ChartedRun>& runs,
                          const std::vector<std::string>& names,
                          const std::filesystem::path& selected);

/// "metrics.csv", relative to the run's folder; the full path if it is elsewhere.
QString sourceName(const RunHistory& history, std::uint32_t source,
                   const std::filesystem::path& run);
/// Title of the reader: "Lightning CSV log".
QString sourceKind(const HistorySource& source);
QStringList noticeLines(const std::vector<Notice>& notices);

} // namespace cairn::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/names/metric_words.h"
#include "ui/charts/curve_data.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <vector>

/// The content of a chart, as plain values. All text may come from files: it is drawn as plain
/// text.
namespace cairn::ui {

/// What the colours of curves stand for in place of runs: the values of a setting or a metric, on
/// the scale of theme::shade().
struct CurveScale {
    struct Mark {
        double share = 0; ///< of the scale
        QString text;     ///< "0.0003"
    };
    QString title;           ///< "lr"
    std::vector<Mark> marks; ///< ascending
    bool isDiscrete = false; ///< there are no values between the marks
};
using CurveScalePtr = std::shared_ptr<const CurveScale>;

/// The colours of the curves of several charts, by their series.
struct CurveColours {
    CurveScalePtr scale; ///< null: each run has its own colour
    std::map<int, double> shares;
    friend bool operator==(const CurveColours&, const CurveColours&) = default;
};

/// One curve. Colour, dash and letter belong to the run and are the same everywhere.
struct ChartCurve {
    QString letter; ///< "A"; empty where there is only one run
    QString run;    ///< full name of the run
    QString metric; ///< as recorded, if it differs from the chart's; else empty
    int series = 0; ///< theme::series and theme::seriesDash
    CurveDataPtr data;
    QString source;       ///< source file and remarks about it
    QString read;         ///< the amount read from that source: "12,345 bytes read"; may be empty
    QStringList warnings; ///< of that source
    bool interpolated = false;   ///< its places on the axis are
    bool faint = false;          ///< others were chosen
    std::optional<double> share; ///< of its content's scale, if that has one; nothing: no value
    // Of the mean of a group, at the same places as `data`; null for a single run.
    CurveDataPtr low;   ///< lower edge of the band
    CurveDataPtr high;  ///< upper edge
    CurveDataPtr count; ///< number of runs
    friend bool operator==(const ChartCurve&, const ChartCurve&) = default; ///< the same points
};

/// A checkpoint on the axis.
struct ChartTick {
    enum class State : std::uint8_t { Whole, Broken, Writing };
    double x = 0;
    int series = 0; ///< of the run
    State state = State::Whole;
    bool selected = false;
    QString label; ///< "step-300 · shard 2 missing"
    std::filesystem::path checkpoint;
    friend bool operator==(const ChartTick&, const ChartTick&) = default;
};

struct ChartContent {
    QString name;                                        ///< of the metric, as written
    names::Direction better = names::Direction::Unknown; ///< of many curves, which are read out
    std::vector<ChartCurve> curves;
    std::vector<ChartTick> ticks;
    CurveScalePtr scale; ///< what the colours of the curves stand for; null: runs
    QString note;        ///< one short line under the name: "2 sources", "warning"; empty: none
    QString noteFull;    ///< full text, for the tooltip
    friend bool operator==(const ChartContent&, const ChartContent&) = default;

    /// More curves than can be told apart by colour and dash: thin lines without markers, and the
    /// one at the pointer bold and named.
    [[nodiscard]] bool isMany() const { return curves.size() > 8; }
    void colour(const CurveColours& colours) {
        scale = colours.scale;
        for (ChartCurve& curve : curves) {
            const auto share = colours.shares.find(curve.series);
            curve.share =
                share == colours.shares.end() ? std::nullopt : std::optional(share->second);
        }
    }
};

} // namespace cairn::ui

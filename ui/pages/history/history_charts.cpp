// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/history/history_charts.h"

#include "ui/navigator/checkpoint_words.h"
#include "ui/text/core_text.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace cairn::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(cairn::ui::HistoryCharts)
};

ChartTick::State tickState(const ScannedCheckpoint& checkpoint) {
    switch (checkpoint.state) {
    case CheckpointState::Incomplete:
    case CheckpointState::Damaged:
        return ChartTick::State::Broken;
    case CheckpointState::BeingWritten:
        return ChartTick::State::Writing;
    case CheckpointState::Unknown:
    case CheckpointState::Complete:
        break;
    }
    return ChartTick::State::Whole;
}

/// Other sources than the drawn one that record the same name.
QStringList otherSources(const ChartedRun& run, std::string_view name, const MetricSeries* drawn) {
    QStringList others;
    for (const MetricSeries& series : run.history->series) {
        if (series.name == name && &series != drawn) {
            others << sourceName(*run.history, series.source, run.place.path) +
                          QStringLiteral(" · ") +
                          Words::tr("%Ln points", nullptr, static_cast<int>(series.size()));
        }
    }
    return others;
}

} // namespace

void ChartedRun::setPlace(const RunPlace& marked) {
    place = marked;
    series = std::max(0, marked.mark);
    letter = marked.mark < 0
                 ? QString()
                 : QString(QChar::fromLatin1(static_cast<char>('A' + marked.mark % 26)));
}

QString sourceName(const RunHistory& history, std::uint32_t source,
                   const std::filesystem::path& run) {
    if (source >= history.sources.size()) {
        return {};
    }
    const std::filesystem::path& path = history.sources[source].path;
    const std::filesystem::path below = path.lexically_relative(run);
    const bool inside = !below.empty() && *below.begin() != "..";
    return text::fromPath(below == "." ? run.filename() : inside ? below : path);
}

QString sourceKind(const HistorySource& source) {
    if (source.kind == "checkpoint_values") { // nobody's log
        return Words::tr("recorded in the checkpoints");
    }
    const HistoryReader* reader = findHistoryReader(source.kind);
    return text::coreText(reader != nullptr ? reader->title : std::string_view(source.kind));
}

QStringList noticeLines(const std::vector<Notice>& notices) {
    QStringList lines;
    for (const Notice& notice : notices) {
        const text::ErrorWords words = text::describe(notice.error);
        lines << (words.detail.isEmpty() ? words.title
                                         : words.title + QStringLiteral(": ") + words.detail);
    }
    return lines;
}

std::optional<ChartCurve> chartCurve(const ChartedRun& run, std::string_view name) {
    const MetricSeries* series = run.history->primary(name);
    if (series == nullptr) {
        return std::nullopt;
    }
    std::optional<RunAxis::Places> places = run.axis->places(*series);
    if (!places) {
        return std::nullopt;
    }
    ChartCurve curve;
    curve.letter = run.letter;
    curve.run = run.place.name;
    curve.series = run.series;
    curve.interpolated = places->interpolated;
    curve.data = std::make_shared<CurveData>(std::move(places->x), series->values);
    curve.source = sourceName(*run.history, series->source, run.place.path);
    if (series->source < run.history->sources.size()) {
        const HistorySource& source = run.history->sources[series->source];
        curve.warnings = noticeLines(source.warnings);
        curve.read = source.bytes == 0 ? QString()
                                       : Words::tr("%1 bytes read").arg(text::count(source.bytes));
    }
    return curve;
}

void addHeldOutCurve(ChartContent& content, const ChartedRun& run, const std::string& name) {
    const MetricSeries* drawn = run.history->primary(name);
    if (drawn == nullptr || content.curves.size() != 1 ||
        names::splitOf(name) == names::Split::HeldOut) {
        return;
    }
    const std::string measure = names::measureOf(name);
    for (const std::string& other : run.history->names()) {
        const MetricSeries* series = run.history->primary(other);
        if (names::splitOf(other) != names::Split::HeldOut || names::measureOf(other) != measure ||
            series->stepsFrom != drawn->stepsFrom) {
            continue;
        }
        if (std::optional<ChartCurve> curve = chartCurve(run, other)) {
            const auto named = [&](const QString& split) {
                return run.letter.isEmpty() ? split : run.letter + QLatin1Char(' ') + split;
            };
            content.curves.front().letter = named(Words::tr("train"));
            curve->letter = named(Words::tr("held-out"));
            curve->metric = text::fromCore(other);
            curve->series = content.curves.front().series + 1;
            content.curves.push_back(std::move(*curve));
            content.noteFull += (content.noteFull.isEmpty() ? QString() : QStringLiteral("\n")) +
                                Words::tr("Dashed: %1").arg(text::fromCore(other));
        }
        return;
    }
}

std::vector<ChartTick> chartTicks(const ChartedRun& run, const std::filesystem::path& selected) {
    std::vector<ChartTick> ticks;
    for (const ScannedCheckpoint& checkpoint : run.place.run.checkpoints) {
        if (checkpoint.isLink()) {
            continue;
        }
        const std::optional<double> x = run.axis->place(checkpoint.step, checkpoint.epoch);
        if (!x) {
            continue;
        }
        ChartTick tick;
        tick.x = *x;
        tick.series = run.series;
        tick.state = tickState(checkpoint);
        tick.selected = checkpoint.path == selected;
        tick.checkpoint = checkpoint.path;
        const QString position = words::position(checkpoint.step, checkpoint.epoch);
        QStringList words{text::fromCore(checkpoint.name),
                          checkpoint.hasRecordedPosition()
                              ? position
                              : Words::tr("%1, by its name").arg(position),
                          words::badge(checkpoint).text};
        if (!run.letter.isEmpty()) {
            words.prepend(run.letter);
        }
        words.removeAll(QString());
        tick.label = words.join(QStringLiteral(" · "));
        ticks.push_back(std::move(tick));
    }
    return ticks;
}

QString tickWords(std::span<const ChartedRun> runs, const std::filesystem::path& checkpoint) {
    for (const ChartedRun& run : runs) {
        const auto& all = run.place.run.checkpoints;
        const auto at = std::ranges::find(all, checkpoint, &ScannedCheckpoint::path);
        if (at != all.end()) {
            return words::decisions(run.place.run, *at);
        }
    }
    return {};
}

ChartContent chartContent(const std::vector<ChartedRun>& runs, const std::string& name,
                          const std::filesystem::path& selected) {
    return chartContent(runs, std::vector<std::string>(runs.size(), name), selected);
}

ChartContent chartContent(const std::vector<ChartedRun>& runs,
                          const std::vector<std::string>& names,
                          const std::filesystem::path& selected) {
    ChartContent content;
    content.name = names.empty() ? QString() : text::fromCore(names.front());
    QStringList remarks;
    QStringList notes;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const ChartedRun& run = runs[i];
        const std::string& name = names[i];
        const std::vector<ChartTick> ticks = chartTicks(run, selected);
        content.ticks.insert(content.ticks.end(), ticks.begin(), ticks.end());
        std::optional<ChartCurve> curve = chartCurve(run, name);
        if (!curve) {
            notes << (run.letter.isEmpty() ? Words::tr("not on this axis")
                                           : Words::tr("%1 not on this axis").arg(run.letter));
            remarks << Words::tr("%1 has no positions for these points on this axis.")
                           .arg(run.place.name);
            continue;
        }
        const MetricSeries* series = run.history->primary(name);
        if (!series->restarts.empty()) {
            notes << Words::tr("%Ln restarts", nullptr, static_cast<int>(series->restarts.size()));
            remarks << Words::tr("%1 was resumed from an earlier step. Where steps repeat, the "
                                 "later values are drawn.")
                           .arg(run.place.name);
        }
        const QStringList others = otherSources(run, name, series);
        if (!others.isEmpty()) {
            notes << Words::tr("%Ln sources", nullptr, static_cast<int>(others.size()) + 1);
            remarks << Words::tr("Drawn from %1. Also recorded in: %2")
                           .arg(curve->source, others.join(QStringLiteral("; ")));
        }
        content.curves.push_back(std::move(*curve));
    }
    notes.removeDuplicates();
    content.note = notes.join(QStringLiteral(" · "));
    content.noteFull = remarks.join(QLatin1Char('\n'));
    return content;
}

} // namespace cairn::ui

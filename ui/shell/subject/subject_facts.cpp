// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/subject/subject_facts.h"

#include "core/runs/run_counts.h"
#include "ui/navigator/checkpoint_words.h"
#include "ui/text/core_text.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <set>

namespace cairn::ui {
namespace {

struct FactWords {
    Q_DECLARE_TR_FUNCTIONS(cairn::ui::SubjectFacts)
};

constexpr qsizetype kMostProblems = 6;

QString nameAndPosition(const ScannedCheckpoint& checkpoint) {
    const QString position = words::position(checkpoint.step, checkpoint.epoch);
    return position.isEmpty() ? text::fromCore(checkpoint.name) : position;
}

QString resumable(const ScannedRun& run) {
    const auto last = std::find_if(
        run.checkpoints.rbegin(), run.checkpoints.rend(),
        [](const ScannedCheckpoint& each) { return each.resumable && each.mayBeComplete(); });
    return last != run.checkpoints.rend() ? nameAndPosition(*last) : QString();
}

} // namespace

Inspector::Facts runFacts(const RunPlace& place) {
    const ScannedRun& run = place.run;
    QString checkpoints = text::count(savesOf(run));
    if (run.links() > 0) {
        checkpoints += QStringLiteral(" · ") +
                       FactWords::tr("%Ln links", nullptr, static_cast<int>(run.links()));
    }
    Inspector::Facts facts{{FactWords::tr("checkpoints"), checkpoints},
                           {FactWords::tr("size"), text::bytes(run.bytes())}};
    for (const ScannedCheckpoint& checkpoint : run.checkpoints) {
        if (checkpoint.latest) {
            facts.push_back({FactWords::tr("latest"), nameAndPosition(checkpoint),
                             words::stepDecision(run, checkpoint)});
        }
        if (checkpoint.best) {
            facts.push_back({FactWords::tr("best"), nameAndPosition(checkpoint),
                             words::bestDecision(run, checkpoint)});
        }
    }
    if (!run.bestIs && !run.bestIs.against.empty()) {
        facts.push_back({FactWords::tr("best"), FactWords::tr("undecided"),
                         text::coreText(evidenceText({}, run.bestIs.against))});
    }
    if (run.bestValue) {
        facts.push_back(
            {run.bestMetric.empty() ? FactWords::tr("best value") : text::fromCore(run.bestMetric),
             text::number(*run.bestValue)});
    }
    if (!run.bestSource.empty()) {
        facts.push_back({FactWords::tr("according to"), text::fromPath(run.bestSource.filename()),
                         text::fromPath(run.bestSource)});
    }
    if (const QString from = resumable(run); !from.isEmpty()) {
        facts.push_back({FactWords::tr("resume from"), from});
    }
    std::set<std::string> formats;
    for (const ScannedCheckpoint& checkpoint : run.checkpoints) {
        formats.insert(checkpoint.format);
    }
    formats.erase("");
    QStringList names;
    for (const std::string& format : formats) {
        names << text::formatName(format);
    }
    if (!names.isEmpty()) {
        facts.push_back({FactWords::tr("format"), names.join(QStringLiteral(", "))});
    }
    return facts;
}

Inspector::Facts checkpointFacts(const ScannedRun& run, const std::filesystem::path& checkpoint) {
    const auto at = std::ranges::find(run.checkpoints, checkpoint, &ScannedCheckpoint::path);
    if (at == run.checkpoints.end()) {
        return {};
    }
    Inspector::Facts facts;
    const QString position = words::position(at->step, at->epoch);
    const bool isUndecided = position.isEmpty() && !at->against.empty();
    if (isUndecided || !position.isEmpty()) {
        facts.push_back({FactWords::tr("position"),
                         isUndecided ? FactWords::tr("undecided") : position,
                         words::stepDecision(run, *at)});
    }
    QStringList state{text::coreText(explainState(*at).answer),
                      words::explanation(explainExport(*at)), words::bestDecision(run, *at)};
    state.removeAll(QString());
    QStringList states{words::state(*at)};
    for (const Badge& badge : words::badges(*at)) {
        states << badge.text; // "best", "latest"; a problem is the state
    }
    states.removeDuplicates();
    facts.push_back({FactWords::tr("state"), states.join(QStringLiteral(" · ")),
                     state.join(QLatin1Char('\n'))});
    if (at->score) {
        facts.push_back({text::fromCore(run.scoreMetric()), text::number(*at->score),
                         words::valueDecision(run, *at)});
    }
    return facts;
}

Inspector::Facts experimentFacts(const Experiment& experiment) {
    std::uint64_t bytes = 0;
    for (const ScannedRun& run : experiment.runs) {
        bytes += run.bytes();
    }
    return {{FactWords::tr("runs"), text::count(experiment.runs.size())},
            {FactWords::tr("checkpoints"), text::count(experiment.checkpoints())},
            {FactWords::tr("size"), text::bytes(bytes)}};
}

QString listingProblems(const Experiment& experiment) {
    QStringList lines;
    for (const Notice& notice : experiment.notices) {
        const text::ErrorWords words = text::describe(notice.error);
        lines << (words.detail.isEmpty() ? words.title
                                         : words.title + QStringLiteral(": ") + words.detail);
    }
    const qsizetype all = lines.size();
    lines = lines.mid(0, kMostProblems);
    if (all > lines.size()) {
        lines << FactWords::tr("and %Ln more", nullptr, static_cast<int>(all - lines.size()));
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace cairn::ui

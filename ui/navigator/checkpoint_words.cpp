// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/navigator/checkpoint_words.h"

#include "ui/text/core_text.h"
#include "ui/text/plain_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>

namespace cairn::ui::words {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(cairn::ui::words)
};

QString incomplete(const ScannedCheckpoint& checkpoint) {
    const QString reason = text::coreText(checkpoint.reason);
    const QString shard = missingShard(reason);
    return shard.isEmpty() ? Words::tr("incomplete") : shard;
}

/// The lines that are not empty, without the run's folder before paths: they would be longer than
/// what they say.
QString belowRun(const ScannedRun& run, QStringList lines) {
    lines.removeAll(QString());
    QString shown = lines.join(QLatin1Char('\n'));
    if (run.path.relative_path().empty()) {
        return shown;
    }
    static const QString begin = QStringLiteral("(?<![^\\s(])"); // not in another path
    const QRegularExpression folder(
        begin + QRegularExpression::escape(text::fromPath(run.path) + QLatin1Char('/')));
    return shown.replace(folder, QString());
}

/// Of a problem; none: nothing is known to be missing.
std::optional<Badge> problemBadge(const ScannedCheckpoint& checkpoint) {
    switch (checkpoint.state) {
    case CheckpointState::Incomplete:
        return Badge{incomplete(checkpoint), theme::Tone::Broken};
    case CheckpointState::Damaged:
        return Badge{checkpoint.isLink() ? Words::tr("broken link") : Words::tr("damaged"),
                     theme::Tone::Broken};
    case CheckpointState::BeingWritten:
        return Badge{Words::tr("being written"), theme::Tone::Attention};
    case CheckpointState::Unknown:
    case CheckpointState::Complete:
        break;
    }
    return std::nullopt;
}

} // namespace

QString exportName(const ScannedCheckpoint& output) {
    const std::string source = output.exportOf.value.value_or(std::string());
    return source.empty() ? text::fromCore(output.name)
                          : QStringLiteral("%1 → %2").arg(text::fromCore(source),
                                                          text::formatName(output.format));
}

QString explanation(const Explanation& why) {
    QStringList lines{text::coreText(why.answer), text::coreText(why.from)};
    lines.removeAll(QString());
    return why.answer.empty() ? QString() : lines.join(QLatin1Char('\n'));
}

QString stepDecision(const ScannedRun& run, const ScannedCheckpoint& checkpoint) {
    return belowRun(run, {explanation(explainStep(checkpoint))});
}

QString valueDecision(const ScannedRun& run, const ScannedCheckpoint& checkpoint) {
    return checkpoint.score ? belowRun(run, {explanation(explainValue(run, checkpoint)),
                                             text::coreText(explainRows(run).from)})
                            : QString();
}

QString bestDecision(const ScannedRun& run, const ScannedCheckpoint& checkpoint) {
    const bool isUndecided = !run.bestIs && !run.bestIs.against.empty();
    return checkpoint.best || isUndecided
               ? belowRun(run, {Words::tr("Best checkpoint: %1")
                                    .arg(explanation(explainBest(run, checkpoint)))})
               : QString();
}

QString decisions(const ScannedRun& run, const ScannedCheckpoint& checkpoint) {
    return belowRun(run,
                    {explanation(explainStep(checkpoint)), explanation(explainExport(checkpoint)),
                     valueDecision(run, checkpoint), bestDecision(run, checkpoint)});
}

QString state(const ScannedCheckpoint& checkpoint) {
    if (const auto problem = problemBadge(checkpoint)) {
        return problem->text;
    }
    return checkpoint.state == CheckpointState::Complete ? Words::tr("complete")
                                                         : Words::tr("not examined");
}

QString valuesSaved(const Decided<bool>& decided) {
    return text::coreText(explainValuesSaved(decided).answer);
}

QString missingShard(const QString& file) {
    static const QRegularExpression distcp(QStringLiteral("__(\\d+)_\\d+\\.distcp"));
    static const QRegularExpression numbered(QStringLiteral("-0*(\\d+)-of-0*(\\d+)"));
    if (const auto match = distcp.match(file); match.hasMatch()) {
        return Words::tr("shard %1 missing").arg(match.captured(1));
    }
    if (const auto match = numbered.match(file); match.hasMatch()) {
        return Words::tr("shard %1 of %2 missing").arg(match.captured(1), match.captured(2));
    }
    return {};
}

std::vector<Badge> badges(const ScannedCheckpoint& checkpoint, const QString& bestText,
                          bool isOnly) {
    std::vector<Badge> all;
    if (auto problem = problemBadge(checkpoint)) {
        all.push_back(*std::move(problem));
    }
    if (checkpoint.best) {
        all.push_back({bestText.isEmpty() ? Words::tr("best") : Words::tr("best %1").arg(bestText),
                       theme::Tone::Good});
    }
    if (checkpoint.latest && !isOnly) {
        all.push_back({Words::tr("latest"), theme::Tone::Good});
    }
    if (!checkpoint.exports.empty()) {
        all.push_back({Words::tr("exported"), theme::Tone::Dim});
    }
    return all;
}

Badge badge(const ScannedCheckpoint& checkpoint) {
    const auto all = badges(checkpoint);
    return all.empty() ? Badge() : all.front();
}

QString completeness(Completeness completeness) {
    switch (completeness) {
    case Completeness::Complete:
        return Words::tr("complete");
    case Completeness::Incomplete:
        return Words::tr("incomplete");
    case Completeness::Unknown:
        break;
    }
    return Words::tr("readable");
}

theme::Tone tone(Completeness completeness) {
    switch (completeness) {
    case Completeness::Complete:
        return theme::Tone::Good;
    case Completeness::Incomplete:
        return theme::Tone::Broken;
    case Completeness::Unknown:
        break;
    }
    return theme::Tone::Plain;
}

QString role(Role role) {
    switch (role) {
    case Role::Weight:
    case Role::Buffer:
        return Words::tr("weights");
    case Role::Optimizer:
        return Words::tr("optimizer");
    case Role::Ema:
        return Words::tr("EMA");
    case Role::Scheduler:
        return Words::tr("scheduler");
    case Role::Rng:
        return Words::tr("random state");
    case Role::TrainingState:
        return Words::tr("training state");
    case Role::Other:
        break;
    }
    return Words::tr("other");
}

QString position(std::optional<std::int64_t> step, std::optional<double> epoch) {
    if (step) {
        return Words::tr("step %1").arg(QLocale().toString(static_cast<qlonglong>(*step)));
    }
    return epoch ? Words::tr("epoch %1").arg(text::number(*epoch)) : QString();
}

Role group(Role role) {
    return role == Role::Buffer ? Role::Weight : role;
}

} // namespace cairn::ui::words

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/navigator/checkpoint_words.h"

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
    const QString reason = text::fromCore(checkpoint.reason);
    const QString shard = missingShard(reason);
    return shard.isEmpty() ? Words::tr("incomplete") : shard;
}

} // namespace

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

Badge badge(const ScannedCheckpoint& checkpoint) {
    switch (checkpoint.state) {
    case CheckpointState::Incomplete:
        return {incomplete(checkpoint), theme::Tone::Broken};
    case CheckpointState::Damaged:
        return {Words::tr("damaged"), theme::Tone::Broken};
    case CheckpointState::BeingWritten:
        return {Words::tr("being written"), theme::Tone::LookHere};
    case CheckpointState::Unknown:
    case CheckpointState::Complete:
        break;
    }
    if (checkpoint.best) {
        return {Words::tr("best"), theme::Tone::Good};
    }
    if (checkpoint.latest) {
        return {Words::tr("latest"), theme::Tone::Good};
    }
    return {};
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
        return Words::tr("moving average");
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

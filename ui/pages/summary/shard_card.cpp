// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/summary/shard_card.h"

#include "ui/text/plain_text.h"
#include "ui/widgets/bars.h"
#include "ui/widgets/button.h"

#include <QCollator>
#include <QRegularExpression>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace cairn::ui {
namespace {

constexpr std::size_t kMostSentences = 3;

RowBars::Row barRow(const ShardShare& shard) {
    RowBars::Row row;
    row.label = ShardCard::label(shard.file);
    row.value = shard.missing ? ShardCard::tr("missing") : text::bytes(shard.bytes);
    row.whole = text::fromCore(shard.file) + QLatin1Char('\n') +
                (shard.missing ? ShardCard::tr("named by the index, not in the folder")
                               : text::exactBytes(shard.bytes)) +
                QStringLiteral(" · ") +
                ShardCard::tr("%n tensors", nullptr, static_cast<int>(shard.tensors));
    row.amount = static_cast<double>(shard.bytes);
    row.tone = shard.missing       ? theme::Tone::Broken
               : shard.against < 0 ? theme::Tone::LookHere
                                   : theme::Tone::Plain;
    return row;
}

} // namespace

QString ShardCard::label(const std::string& file) {
    static const QRegularExpression distcp(QStringLiteral("^__(\\d+)_(\\d+)\\.distcp$"));
    static const QRegularExpression numbered(QStringLiteral("-0*(\\d+)-of-0*(\\d+)\\.[a-z]+$"));
    const QString name = text::fromCore(file);
    if (const auto match = distcp.match(name); match.hasMatch()) {
        return match.captured(2) == QLatin1String("0")
                   ? tr("rank %1").arg(match.captured(1))
                   : tr("rank %1, part %2").arg(match.captured(1), match.captured(2));
    }
    if (const auto match = numbered.match(name); match.hasMatch()) {
        return tr("shard %1").arg(match.captured(1));
    }
    return name;
}

ShardCard::ShardCard(const SummaryFacts& facts, QWidget* parent)
    : Card(tr("Bytes per shard"), parent) {
    // What is missing or uneven is always among the rows that are drawn.
    std::vector<const ShardShare*> chosen;
    for (const ShardShare& shard : facts.shards) {
        chosen.push_back(&shard);
    }
    if (chosen.size() > RowBars::kMaxRows) {
        std::ranges::stable_partition(
            chosen, [](const ShardShare* shard) { return shard->missing || shard->against != 0; });
        chosen.resize(RowBars::kMaxRows);
    }
    QCollator natural;
    natural.setNumericMode(true);
    std::ranges::sort(chosen, [&natural](const ShardShare* a, const ShardShare* b) {
        return natural.compare(text::fromCore(a->file), text::fromCore(b->file)) < 0;
    });
    std::vector<RowBars::Row> rows;
    for (const ShardShare* shard : chosen) {
        rows.push_back(barRow(*shard));
    }
    auto* bars = new RowBars;
    bars->setAccessibleName(tr("Bytes per shard"));
    bars->setRows(std::move(rows));
    content()->addWidget(bars);
    if (chosen.size() < facts.shards.size()) {
        auto* more = new Button(tr("All %n Files", nullptr, static_cast<int>(facts.shards.size())));
        connect(more, &QPushButton::clicked, this, &ShardCard::moreRequested);
        content()->addWidget(more, 0, Qt::AlignLeft);
    }
    const bool broken = std::ranges::any_of(facts.shards, &ShardShare::missing);
    for (const QString& line : sentences(facts)) {
        auto* label = new TextLabel(line, broken ? theme::Tone::Broken : theme::Tone::LookHere);
        label->setWordWrap(true);
        content()->addWidget(label);
    }
    content()->addStretch(1);
}

QStringList ShardCard::sentences(const SummaryFacts& facts) const {
    QStringList lines;
    const auto missing = std::ranges::count_if(facts.shards, &ShardShare::missing);
    if (missing > 0) {
        const auto first = std::ranges::find_if(facts.shards, &ShardShare::missing);
        const QString which = missing == 1
                                  ? tr("%1 is missing").arg(text::fromCore(first->file))
                                  : tr("%n files are missing", nullptr, static_cast<int>(missing));
        lines << which + QStringLiteral(": ") +
                     tr("%n tensors have holes", nullptr,
                        static_cast<int>(facts.incompleteTensors));
        return lines;
    }
    for (const ShardShare& shard : facts.shards) {
        if (shard.against >= 0 || lines.size() >= static_cast<qsizetype>(kMostSentences)) {
            continue;
        }
        lines << tr("%1 holds %2 % less than the others")
                     .arg(label(shard.file))
                     .arg(std::lround(-shard.against * 100));
    }
    return lines;
}

} // namespace cairn::ui

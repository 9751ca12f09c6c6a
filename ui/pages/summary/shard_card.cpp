// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/summary/shard_card.h"

#include "ui/text/plain_text.h"
#include "ui/widgets/bars.h"
#include "ui/widgets/button.h"

#include <QCollator>
#include <QRegularExpression>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>

namespace cairn::ui {
namespace {

constexpr std::size_t kMaxSentences = 3;

RowBars::Row barRow(const ShardShare& shard) {
    RowBars::Row row;
    row.label = ShardCard::label(shard.file);
    row.value = shard.missing ? ShardCard::tr("missing") : text::bytes(shard.bytes);
    row.whole = text::fromCore(shard.file) + QLatin1Char('\n') +
                (shard.missing ? ShardCard::tr("listed in the index, but not in the folder")
                               : text::exactBytes(shard.bytes)) +
                QStringLiteral(" · ") +
                ShardCard::tr("%Ln tensors", nullptr, static_cast<int>(shard.tensors));
    row.amount = static_cast<double>(shard.bytes);
    row.tone = shard.missing       ? theme::Tone::Broken
               : shard.against < 0 ? theme::Tone::Attention
                                   : theme::Tone::Plain;
    return row;
}

} // namespace

QString ShardCard::label(const std::string& file) {
    struct Name {
        QRegularExpression pattern;
        const char* words; ///< %1, %2: captures of the pattern
    };
    const auto named = [](const char* pattern, const char* words) {
        return Name{QRegularExpression(QLatin1String(pattern)), words};
    };
    static const std::array kNames{
        named(R"(^__(\d+)_0\.distcp$)", QT_TR_NOOP("rank %1")),
        named(R"(^__(\d+)_(\d+)\.distcp$)", QT_TR_NOOP("rank %1, part %2")),
        named(R"(-0*(\d+)-of-0*\d+\.[a-z]+$)", QT_TR_NOOP("shard %1")),
        // DeepSpeed's
        named(R"((?:^|/)mp_rank_0+_model_states\.pt$)", QT_TR_NOOP("model")),
        named(R"((?:^|/)mp_rank_0*(\d+)_model_states\.pt$)", QT_TR_NOOP("model, part %1")),
        named(R"(zero_pp_rank_(\d+)_mp_rank_0+_model_states\.pt$)", QT_TR_NOOP("model, rank %1")),
        named(R"(zero_pp_rank_(\d+)_mp_rank_0+_optim_states\.pt$)",
              QT_TR_NOOP("optimizer, rank %1")),
        named(R"(expp_rank_(\d+)_mp_rank_0+_optim_states\.pt$)", QT_TR_NOOP("experts, rank %1")),
        named(R"(layer_0*(\d+)-model_states\.pt$)", QT_TR_NOOP("layer %1")),
        named(R"(layer_0*(\d+)_expert_(\d+)_mp_rank_0+_model_states\.pt$)",
              QT_TR_NOOP("layer %1, expert %2"))};
    const QString name = text::fromCore(file);
    for (const auto& [pattern, words] : kNames) {
        if (const auto match = pattern.match(name); match.hasMatch()) {
            QString label = tr(words);
            for (int i = 1; i <= match.lastCapturedIndex(); ++i) {
                label = label.arg(match.captured(i));
            }
            return label;
        }
    }
    return name;
}

ShardCard::ShardCard(const SummaryFacts& facts, QWidget* parent)
    : Card(tr("Bytes per shard"), parent) {
    // Missing and uneven shards are always among the drawn rows.
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
        auto* more =
            new Button(tr("Show All %Ln Files", nullptr, static_cast<int>(facts.shards.size())));
        connect(more, &QPushButton::clicked, this, &ShardCard::moreRequested);
        content()->addWidget(more, 0, Qt::AlignLeft);
    }
    const bool broken = std::ranges::any_of(facts.shards, &ShardShare::missing);
    for (const QString& line : sentences(facts)) {
        auto* label = new TextLabel(line, broken ? theme::Tone::Broken : theme::Tone::Attention);
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
                                  : tr("%Ln files are missing", nullptr, static_cast<int>(missing));
        lines << which + QStringLiteral(": ") +
                     tr("%Ln tensors are incomplete", nullptr,
                        static_cast<int>(facts.incompleteTensors));
        return lines;
    }
    for (const ShardShare& shard : facts.shards) {
        if (shard.against >= 0 || lines.size() >= static_cast<qsizetype>(kMaxSentences)) {
            continue;
        }
        lines << tr("%1 is %2 % smaller than the others")
                     .arg(label(shard.file))
                     .arg(std::lround(-shard.against * 100));
    }
    return lines;
}

} // namespace cairn::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// The first answers of the Summary page: step, loss, size, state and health, and what needs
// attention.
#include "core/formats/format.h"
#include "core/runs/rank/why.h"
#include "ui/navigator/checkpoint_words.h"
#include "ui/pages/summary/attention_card.h"
#include "ui/pages/summary/big_figure.h"
#include "ui/pages/summary/pickle_words.h"
#include "ui/pages/summary/summary_page.h"
#include "ui/pages/summary/tool_card.h"
#include "ui/text/core_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/card.h"
#include "ui/widgets/flow_layout.h"

#include <QDateTime>
#include <QLocale>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace cairn::ui {
namespace {

constexpr std::size_t kMaxHeadlines = 2;

QString origin(const Checkpoint& checkpoint) {
    QString line = text::formatName(checkpoint.format());
    if (const auto ranks = checkpoint.data().worldSize) {
        line +=
            QStringLiteral(" · ") + SummaryPage::tr("%Ln ranks", nullptr, static_cast<int>(*ranks));
    }
    return line;
}

/// "725,504", "1.24 M", "7.62 B": as model cards state them; the tooltip has all digits.
QString shortCount(std::uint64_t count) {
    constexpr auto kUnits =
        std::to_array<std::pair<double, const char*>>({{1e12, "T"}, {1e9, "B"}, {1e6, "M"}});
    for (const auto& [unit, letter] : kUnits) {
        if (static_cast<double>(count) >= unit) {
            return QStringLiteral("%1 %2").arg(
                text::number(std::floor(static_cast<double>(count) / unit * 100) / 100),
                QLatin1String(letter));
        }
    }
    return text::count(count);
}

} // namespace

QWidget* SummaryPage::headlineCard(const SummaryFacts& facts) {
    auto* card = new Card;
    m_headline = new QHBoxLayout;
    m_headline->setSpacing(2 * theme::kGrid);
    auto* figures = new QWidget;
    auto* row = new FlowLayout(3 * theme::kGrid, figures);
    const auto add = [&](QWidget* shown, const Sentence& evidence) {
        text::setToolTip(shown, text::coreText(evidence));
        row->addWidget(shown);
    };
    const Sentence position = evidenceText(facts.positionBecause, {});
    const ScannedCheckpoint* listed = listedCheckpoint();
    if (facts.position.step) {
        add(bigFigure(tr("Step"), QLocale().toString(static_cast<qlonglong>(*facts.position.step))),
            position);
    } else if (listed != nullptr && listed->step) { // nothing in it states one: its name does
        add(bigFigure(tr("Step"), QLocale().toString(static_cast<qlonglong>(*listed->step))),
            evidenceText(listed->because, listed->against));
    }
    if (facts.position.epoch) {
        add(bigFigure(tr("Epoch"), text::number(*facts.position.epoch)), position);
    }
    for (std::size_t i = 0; i < std::min(kMaxHeadlines, facts.headline.size()); ++i) {
        const HeadlineNumber& number = facts.headline[i];
        const QString key = text::fromCore(number.name);
        add(bigFigure(QString(key).replace(QLatin1Char('_'), QLatin1Char(' ')),
                      text::number(number.value())),
            evidenceText(number.number.because, number.number.against));
    }
    if (facts.headline.empty() && listed != nullptr && listed->score) {
        QWidget* shown =
            bigFigure(text::fromCore(m_place.run.scoreMetric()), text::number(*listed->score));
        text::setToolTip(shown, words::valueDecision(m_place.run, *listed));
        row->addWidget(shown);
    }
    if (facts.parameters && *facts.parameters > 0) {
        QWidget* shown = bigFigure(tr("Parameters"), shortCount(*facts.parameters));
        text::setToolTip(shown, text::count(*facts.parameters));
        row->addWidget(shown);
    }
    row->addWidget(bigFigure(tr("State"), words::completeness(m_checkpoint->completeness()),
                             words::tone(m_checkpoint->completeness())));
    row->addWidget(healthFigure());
    auto* side = new QVBoxLayout;
    side->setSpacing(2);
    QStringList lines{origin(*m_checkpoint),
                      tr("%Ln tensors", nullptr, static_cast<int>(facts.totals.tensors)) +
                          QStringLiteral(" · ") + text::bytes(facts.totals.bytes)};
    if (facts.writtenNs > 0) {
        const QDateTime written = QDateTime::fromMSecsSinceEpoch(facts.writtenNs / 1'000'000);
        const QString when = QLocale().toString(written, QLocale::ShortFormat);
        lines
            << (m_checkpoint->framework().empty()
                    ? tr("written %1").arg(when)
                    : tr("written %1 by %2").arg(when, text::fromCore(m_checkpoint->framework())));
    }
    m_pickles = new TextLabel(QString(), theme::Tone::Dim);
    m_pickles->setElideMiddle(true);
    m_pickles->hide();
    m_origin.emplace_back(m_pickles);
    for (const QString& line : lines) {
        auto* label = new TextLabel(line, theme::Tone::Dim);
        label->setElideMiddle(true);
        m_origin.emplace_back(label);
        side->addWidget(label);
    }
    side->addWidget(m_pickles);
    side->addStretch();
    m_headline->addWidget(figures, 1);
    m_headline->addLayout(side);
    card->content()->addLayout(m_headline);
    refreshPickles(); // shown before it has a parent, it would be a window
    return card;
}

/// As the run lists the shown checkpoint; null: it does not.
const ScannedCheckpoint* SummaryPage::listedCheckpoint() const {
    const auto& all = m_place.run.checkpoints;
    const auto at = std::ranges::find(all, m_selected, &ScannedCheckpoint::path);
    return m_checkpoint != nullptr && !m_selected.empty() && at != all.end() ? &*at : nullptr;
}

/// What the last check of the shown checkpoint found; it reads every byte, so it is not run
/// unasked.
QWidget* SummaryPage::healthFigure() {
    const auto& cards = m_tools->cards();
    const auto check = std::ranges::find_if(cards, [](const ToolCard* card) {
        return card->tool() == CheckpointTool::Check && !card->isRunning() &&
               card->tone() != theme::Tone::Plain;
    });
    if (check == cards.end()) {
        QWidget* shown = bigFigure(tr("Health"), tr("not checked"), theme::Tone::Dim);
        text::setToolTip(shown,
                         tr("Tools > Check reads every byte: missing parts, checksums, NaN"));
        return shown;
    }
    const theme::Tone tone = (*check)->tone();
    QWidget* shown = bigFigure(tr("Health"),
                               tone == theme::Tone::Good        ? tr("healthy")
                               : tone == theme::Tone::Attention ? tr("warnings")
                                                                : tr("damaged"),
                               tone);
    text::setToolTip(shown, (*check)->headline());
    return shown;
}

void SummaryPage::refreshPickles() {
    const QString words = m_scan ? words::pickles(*m_scan) : QString();
    if (m_pickles == nullptr || words.isEmpty()) {
        return;
    }
    const bool isNamedBelow = pickleNotice().has_value();
    m_pickles->setText(isNamedBelow ? QString() : tr("Pickles %1").arg(words));
    m_pickles->setTone(words::tone(*m_scan));
    m_pickles->setToolTip(
        text::coreText(m_scan->reasons.empty() ? Sentence() : m_scan->reasons.front()));
    m_pickles->setVisible(!isNamedBelow);
}

/// Of pickles that are more than data; a class that is not known is on most of them.
std::optional<Notice> SummaryPage::pickleNotice() const {
    if (!m_scan || words::tone(*m_scan) == theme::Tone::Dim) {
        return std::nullopt;
    }
    const bool runs = words::tone(*m_scan) == theme::Tone::Broken;
    const QString title =
        runs ? tr("Loading it in Python would run code") : tr("Its pickles are not plain data");
    Error error = fail(ErrorCode::Unsupported, verbatim(title.toStdString()));
    error.found = m_scan->reasons.empty() ? Sentence() : m_scan->reasons.front();
    return Notice{runs ? Severity::Error : Severity::Warning, std::move(error)};
}

QWidget* SummaryPage::attentionCard() {
    std::vector<Notice> notices(m_checkpoint->notices().begin(), m_checkpoint->notices().end());
    if (const std::optional<Notice> pickles = pickleNotice()) {
        notices.insert(notices.begin(), *pickles);
    }
    auto* card = makeAttentionCard(notices);
    if (card != nullptr) {
        connect(card, &AttentionCard::recoveryRequested, this, &SummaryPage::recoveryRequested);
    }
    return card;
}

/// Makes the card anew, in its place.
void SummaryPage::refreshHeadline() {
    const int at = m_headlineCard != nullptr ? m_cards->indexOf(m_headlineCard) : -1;
    if (!m_facts || m_checkpoint == nullptr || at < 0) {
        return;
    }
    m_origin.clear();
    m_headlineCard->hide();
    m_headlineCard->deleteLater();
    m_headlineCard = headlineCard(*m_facts);
    m_cards->insertWidget(at, m_headlineCard);
    fold();
}

/// After the scan of the pickles.
void SummaryPage::refreshAttention() {
    refreshPickles();
    const int at = m_headlineCard != nullptr ? m_cards->indexOf(m_headlineCard) : -1;
    if (at < 0 || !pickleNotice()) {
        return;
    }
    if (m_attention != nullptr) {
        m_attention->hide();
        m_attention->deleteLater();
    }
    m_attention = attentionCard();
    m_cards->insertWidget(at + 1, m_attention);
}

} // namespace cairn::ui

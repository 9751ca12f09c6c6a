// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/runs_footer.h"

#include "ui/pages/runs/relation_cards.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/bars.h"
#include "ui/widgets/card.h"

#include <QGridLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace cairn::ui {
namespace {

constexpr int kWide = 620;              ///< px from which both cards fit in one row
constexpr std::size_t kMaxEffects = 8;  ///< settings of the explanation
constexpr std::size_t kMaxSettings = 8; ///< settings that vary
constexpr std::size_t kMaxValues = 5;   ///< of a setting; more are a range

void clearGrid(QGridLayout& grid) {
    while (QLayoutItem* item = grid.takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
}

void addCell(QGridLayout& grid, int row, int column, const QString& text,
             theme::Tone tone = theme::Tone::Plain, bool right = false) {
    auto* label = new TextLabel(text, tone);
    if (right) {
        label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    } else {
        label->setElideMiddle(true);
    }
    grid.addWidget(label, row, column);
}

QString valuesText(const GridSetting& setting) {
    QStringList texts;
    if (setting.values.size() > kMaxValues && setting.isNumeric) {
        texts << RunsFooter::tr("%1 … %2").arg(text::fromCore(setting.values.front().shown),
                                               text::fromCore(setting.values.back().shown));
    } else {
        for (std::size_t i = 0; i < std::min(setting.values.size(), kMaxValues); ++i) {
            texts << text::fromCore(setting.values[i].shown);
        }
        if (setting.values.size() > kMaxValues) {
            texts << RunsFooter::tr("%Ln more", nullptr,
                                    static_cast<int>(setting.values.size() - kMaxValues));
        }
    }
    if (setting.runs < setting.ofRow.size()) {
        texts << RunsFooter::tr("not set in %Ln runs", nullptr,
                                static_cast<int>(setting.ofRow.size() - setting.runs));
    }
    return texts.join(QStringLiteral(" · "));
}

QString probability(const SettingEffect& effect) {
    return text::inLocale(effect.p < 0.001
                              ? QStringLiteral("< 0.001")
                              : QString::number(effect.p, 'f', effect.p < 0.01 ? 3 : 2));
}

QGridLayout* makeGrid(Card& card) {
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(2 * theme::kGrid);
    grid->setVerticalSpacing(theme::kGrid / 2 + 1);
    card.content()->addLayout(grid);
    return grid;
}

} // namespace

RunsFooter::RunsFooter(TurnQueue& turns, QWidget* parent)
    : QWidget(parent), m_hint(new TextLabel({}, theme::Tone::Dim)),
      m_cards(new QBoxLayout(QBoxLayout::TopToBottom)), m_explanation(new Card(tr("Explanation"))),
      m_effects(makeGrid(*m_explanation)), m_method(new TextLabel({}, theme::Tone::Dim)),
      m_settings(new Card(tr("Settings"))), m_values(makeGrid(*m_settings)),
      m_relation(new RelationCards(turns)), m_notes(new TextLabel({}, theme::Tone::Dim)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::kGrid);
    m_cards->setSpacing(2 * theme::kGrid - 2);
    layout->addWidget(m_hint);
    layout->addWidget(m_relation); // before the lists, which may be long
    layout->addLayout(m_cards);
    layout->addWidget(m_notes);
    for (Card* card : {m_explanation, m_settings}) {
        m_cards->addWidget(card, 1, Qt::AlignTop);
        card->hide();
    }
    for (TextLabel* label : {m_hint, m_method, m_notes}) {
        label->setFont(theme::small(label->font()));
        label->setWordWrap(true);
        label->hide();
    }
    m_explanation->content()->addWidget(m_method);
    m_effects->setColumnStretch(0, 1);
    m_values->setColumnStretch(1, 1);
}

void RunsFooter::showSettings(const RunGrid& grid) {
    clearGrid(*m_values);
    std::vector<std::size_t> varying = groupingSettings(grid);
    m_settings->setVisible(!varying.empty());
    if (varying.empty()) {
        return;
    }
    m_settings->setTitle(
        tr("Settings · %1 of %2 vary")
            .arg(text::count(varying.size()), text::count(grid.settings().size())));
    addCell(*m_values, 0, 0, tr("key"), theme::Tone::Dim);
    addCell(*m_values, 0, 1, tr("values"), theme::Tone::Dim);
    m_values->addWidget(new Hairline, 1, 0, 1, 2);
    int row = 2;
    for (std::size_t i = 0; i < std::min(varying.size(), kMaxSettings); ++i) {
        const GridSetting& setting = grid.settings()[varying[i]];
        addCell(*m_values, row, 0, text::fromCore(setting.key));
        addCell(*m_values, row++, 1, valuesText(setting));
    }
    if (varying.size() > kMaxSettings) {
        addCell(*m_values, row, 0,
                tr("and %Ln more", nullptr, static_cast<int>(varying.size() - kMaxSettings)),
                theme::Tone::Dim);
    }
}

void RunsFooter::showExplanation(const RunGrid& grid, const MetricExplanation* explanation) {
    clearGrid(*m_effects);
    const bool known = explanation != nullptr && !explanation->settings.empty();
    m_explanation->setVisible(known);
    m_method->setVisible(known);
    if (!known) {
        return;
    }
    m_explanation->setTitle(
        tr("What explains %1").arg(columnFullTitle(grid, grid.nameOf(explanation->column))));
    const QStringList heads{tr("setting"), tr("effect"), tr("p"), tr("n")};
    for (int column = 0; column < heads.size(); ++column) {
        addCell(*m_effects, 0, column, heads[column], theme::Tone::Dim, column > 0);
    }
    m_effects->addWidget(new Hairline, 1, 0, 1, 4);
    int row = 2;
    for (std::size_t i = 0; i < std::min(explanation->settings.size(), kMaxEffects); ++i) {
        const SettingEffect& effect = explanation->settings[i];
        const theme::Tone tone = effect.p < 0.05 ? theme::Tone::Plain : theme::Tone::Dim;
        addCell(*m_effects, row, 0, text::fromCore(grid.settings()[effect.setting].key), tone);
        addCell(*m_effects, row, 1, text::inLocale(QString::number(effect.effect, 'f', 2)), tone,
                true);
        addCell(*m_effects, row, 2, probability(effect), tone, true);
        addCell(*m_effects, row++, 3, text::count(effect.n), tone, true);
    }
    m_method->setText(tr("Share of the ranks' variance, p by permutation. An association, not a "
                         "cause."));
}

void RunsFooter::showNotes(const QStringList& lines) {
    m_notes->setText(lines.join(QLatin1Char('\n')));
    m_notes->setVisible(!lines.isEmpty());
}

void RunsFooter::setHint(const QString& sentence) {
    m_hint->setText(sentence);
    m_hint->setVisible(!sentence.isEmpty());
}

QString RunsFooter::hint() const {
    return m_hint->isHidden() ? QString() : m_hint->text();
}

void RunsFooter::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_cards->setDirection(width() >= kWide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

} // namespace cairn::ui

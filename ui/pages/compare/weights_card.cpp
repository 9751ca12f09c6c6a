// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/compare/weights_card.h"

#include "ui/pages/diff/layer_strip.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/bars.h"
#include "ui/widgets/button.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QVBoxLayout>

#include <cmath>

namespace cairn::ui {
namespace {

constexpr int kBarWidth = 120;

QString relative(double value) {
    return std::isinf(value) ? QStringLiteral("∞") : text::number(value);
}

} // namespace

WeightsCard::WeightsCard(WeightDistance& distance, QWidget* parent)
    : Card(tr("Weights"), parent), m_distance(distance), m_strip(new LayerStrip),
      m_sentence(new TextLabel({}, theme::Tone::Dim)), m_most(new QWidget),
      m_grid(new QGridLayout(m_most)), m_reading(new QWidget), m_bar(new ByteProgress),
      m_progress(new TextLabel({}, theme::Tone::Dim)), m_button(new Button(QString())) {
    content()->setSpacing(theme::kGrid / 2 + 1);
    content()->addWidget(m_strip);
    m_sentence->setWordWrap(true);
    content()->addWidget(m_sentence);
    m_grid->setContentsMargins(0, theme::kGrid / 2, 0, 0);
    m_grid->setHorizontalSpacing(2 * theme::kGrid);
    m_grid->setVerticalSpacing(theme::kGrid / 2);
    m_grid->setColumnStretch(0, 1);
    content()->addWidget(m_most);
    auto* row = new QHBoxLayout(m_reading);
    row->setContentsMargins(0, theme::kGrid / 2, 0, 0);
    row->setSpacing(theme::kGrid);
    m_bar->setFixedWidth(kBarWidth);
    row->addWidget(m_button);
    row->addWidget(m_bar);
    row->addWidget(m_progress, 1);
    m_progress->setElideMiddle(true);
    content()->addWidget(m_reading);
    content()->addStretch(1);
    connect(m_button, &QPushButton::clicked, this, [this] {
        switch (m_distance.state()) {
        case WeightDistance::State::Estimating:
        case WeightDistance::State::Reading:
            m_distance.stop();
            break;
        case WeightDistance::State::Waiting:
        case WeightDistance::State::Stopped:
            m_distance.start();
            break;
        case WeightDistance::State::Empty:
        case WeightDistance::State::Done:
            break;
        }
    });
    connect(m_strip, &LayerStrip::layerChosen, this, &WeightsCard::diffRequested);
    connect(&distance, &WeightDistance::changed, this, &WeightsCard::refresh);
    connect(&distance, &WeightDistance::progressed, this, &WeightsCard::updateProgress);
    refresh();
}

void WeightsCard::showPair(std::optional<std::size_t> pair, const QString& words) {
    m_pair = pair;
    m_words = words;
    m_drawn = nullptr;
    refresh();
}

void WeightsCard::refresh() {
    setTitle(m_words.isEmpty() ? tr("Weights") : tr("Weights · %1").arg(m_words));
    const WeightChange* change = m_pair ? m_distance.change(*m_pair) : nullptr;
    if (change == nullptr || change != m_drawn) {
        m_strip->hide();
        m_most->hide();
        m_sentence->hide();
        if (change != nullptr) {
            showChange(*change);
        } else if (m_distance.state() == WeightDistance::State::Empty) {
            m_sentence->setText(tr("The runs have no matching pair of complete checkpoints."));
            m_sentence->show();
        } else if (m_distance.state() == WeightDistance::State::Done) {
            m_sentence->setText(tr("One of these checkpoints is incomplete, or the pair is not "
                                   "among the %1 pairs that were read.")
                                    .arg(m_distance.pairs().size()));
            m_sentence->show();
        }
        m_drawn = change;
    }
    refreshReading();
}

void WeightsCard::showChange(const WeightChange& change) {
    m_sentence->show();
    if (change.error) {
        const text::ErrorWords words = text::describe(*change.error);
        m_sentence->setText(
            words.detail.isEmpty() ? words.title : words.title + QLatin1Char('\n') + words.detail);
        return;
    }
    if (change.tensors == 0) {
        m_sentence->setText(tr("The two checkpoints have no tensor in common."));
        return;
    }
    QStringList words;
    if (!change.known()) {
        words << tr("The weights cannot be compared.");
    } else if (change.equal()) {
        words << tr("All %Ln tensors are equal.", nullptr, static_cast<int>(change.compared()));
    } else {
        words << tr("Relative change |B − A| / |A| by layer; %1 in all, %2 of %3 tensors changed")
                     .arg(relative(change.relative), text::count(change.changed),
                          text::count(change.compared()));
    }
    const std::uint64_t alone = change.onlyLeft + change.onlyRight;
    if (alone > 0) {
        words << tr("%1 only in A, %2 only in B")
                     .arg(text::count(change.onlyLeft), text::count(change.onlyRight));
    }
    if (change.unread > 0) {
        words << tr("%Ln not compared: different shape or unreadable", nullptr,
                    static_cast<int>(change.unread));
    }
    m_sentence->setText(words.join(QStringLiteral(" · ")));
    m_strip->setVisible(change.known() && !change.equal() && !change.layers.empty());
    m_strip->show(change.layers);
    fillMost(change.most);
}

void WeightsCard::fillMost(const std::vector<TensorChange>& most) {
    while (QLayoutItem* item = m_grid->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    const auto cell = [this](int row, int column, const QString& text, theme::Tone tone) {
        auto* label = new TextLabel(text, tone);
        if (column > 0) {
            label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        } else {
            label->setElideMiddle(true);
        }
        m_grid->addWidget(label, row, column);
    };
    cell(0, 0, tr("largest change"), theme::Tone::Dim);
    cell(0, 1, tr("relative"), theme::Tone::Dim);
    cell(0, 2, tr("max abs"), theme::Tone::Dim);
    cell(0, 3, tr("changed"), theme::Tone::Dim);
    m_grid->addWidget(new Hairline, 1, 0, 1, 4);
    int row = 2;
    for (const TensorChange& each : most) {
        cell(row, 0, text::fromCore(each.name), theme::Tone::Plain);
        cell(row, 1, relative(each.relative), theme::Tone::Plain);
        cell(row, 2, text::number(each.maxAbs), theme::Tone::Plain);
        cell(row, 3,
             text::inLocale(QString::number(each.changed * 100, 'f', 1)) + QStringLiteral(" %"),
             theme::Tone::Plain);
        ++row;
    }
    m_most->setVisible(!most.empty());
}

void WeightsCard::refreshReading() {
    const WeightDistance::State state = m_distance.state();
    const bool runs =
        state == WeightDistance::State::Reading || state == WeightDistance::State::Estimating;
    m_reading->setVisible(state != WeightDistance::State::Done &&
                          state != WeightDistance::State::Empty);
    m_bar->setVisible(runs);
    m_button->setText(runs                                      ? tr("Stop")
                      : state == WeightDistance::State::Stopped ? tr("Resume")
                                                                : tr("Compare Weights"));
    m_button->updateGeometry();
    updateProgress();
}

void WeightsCard::updateProgress() {
    const std::size_t known = m_distance.knownPairs();
    const std::size_t all = m_distance.pairs().size();
    switch (m_distance.state()) {
    case WeightDistance::State::Estimating:
        m_bar->setShares(-1, 0);
        m_progress->setText(tr("Reading the indices…"));
        break;
    case WeightDistance::State::Waiting:
        m_progress->setText(tr("%Ln checkpoint pairs; %1 to read", nullptr, static_cast<int>(all))
                                .arg(text::bytes(m_distance.bytes())));
        break;
    case WeightDistance::State::Reading:
        m_bar->setShares(m_distance.bytes() == 0 ? -1
                                                 : static_cast<double>(m_distance.done()) /
                                                       static_cast<double>(m_distance.bytes()),
                         0);
        m_progress->setText(tr("%1 of %2 pairs · %3 of %4")
                                .arg(text::count(known), text::count(all),
                                     text::bytes(m_distance.done()),
                                     text::bytes(m_distance.bytes())));
        break;
    case WeightDistance::State::Stopped:
        m_progress->setText(
            tr("Stopped after %1 of %2 pairs").arg(text::count(known), text::count(all)));
        break;
    case WeightDistance::State::Empty:
    case WeightDistance::State::Done:
        break;
    }
}

} // namespace cairn::ui

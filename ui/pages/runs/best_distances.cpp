// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/best_distances.h"

#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/link_row.h"

#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace cairn::ui {
namespace {

constexpr int kDelayMs = 300;

} // namespace

BestDistances::BestDistances(QWidget* parent)
    : QWidget(parent), m_head(captionLabel({})), m_rows(new QVBoxLayout),
      m_button(new Button(QString())), m_progress(new TextLabel({}, theme::Tone::Dim)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, theme::kGrid, 0, 0);
    column->setSpacing(theme::kGrid / 2);
    m_head->setElideMiddle(true);
    m_rows->setSpacing(0);
    m_progress->setWordWrap(true);
    column->addWidget(m_head);
    column->addLayout(m_rows);
    column->addWidget(m_progress);
    column->addWidget(m_button);
    connect(m_button, &QPushButton::clicked, this, [this] {
        if (m_distance.state() == WeightDistance::State::Reading) {
            m_distance.stop();
        } else {
            m_distance.start();
        }
    });
    m_delay.setSingleShot(true);
    m_delay.setInterval(kDelayMs);
    connect(&m_delay, &QTimer::timeout, this, &BestDistances::measure);
    connect(&m_distance, &WeightDistance::changed, this, &BestDistances::refresh);
    hide();
}

void BestDistances::show(std::vector<Place> places) {
    std::erase_if(places, [](const Place& place) { return !place.complete; });
    places.resize(std::min(places.size(), kMost));
    if (places != m_places) {
        m_places = std::move(places);
        setVisible(m_places.size() > 1);
        m_delay.start();
        refresh();
    }
}

void BestDistances::measure() {
    std::vector<WeightPair> pairs;
    for (std::size_t i = 1; i < m_places.size(); ++i) {
        pairs.push_back({i, m_places[0].checkpoint, m_places[i].checkpoint, m_places[0].modifiedNs,
                         m_places[i].modifiedNs});
    }
    m_distance.setPairs(std::move(pairs));
    refresh();
}

bool BestDistances::isSettled() const {
    return !m_delay.isActive() && m_distance.state() != WeightDistance::State::Estimating &&
           m_distance.state() != WeightDistance::State::Reading;
}

void BestDistances::refresh() {
    while (QLayoutItem* item = m_rows->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    m_lines.clear();
    if (m_places.size() < 2) {
        return;
    }
    m_head->setText(tr("Weight distance to %1").arg(m_places[0].name));
    using State = WeightDistance::State;
    const State state = m_distance.state();
    for (std::size_t i = 1; i < m_places.size(); ++i) {
        // Until then the distances are those of other checkpoints.
        const WeightChange* change = m_delay.isActive() ? nullptr : m_distance.change(i);
        const bool waits = !isSettled();
        const QString remark = change != nullptr ? distanceText(*change)
                               : waits           ? QStringLiteral("…")
                                                 : QString();
        auto* row = new LinkRow(m_places[i].name, remark);
        QString tip =
            tr("Compare the tensors of %1 and %2").arg(m_places[0].name, m_places[i].name);
        if (change != nullptr && change->error) {
            tip += QLatin1Char('\n') + text::describe(*change->error).title;
        } else if (change != nullptr && change->tensors > 0) {
            tip += QLatin1Char('\n') +
                   tr("|B − A| / |A| over the weights: %1 of %2 tensors changed")
                       .arg(text::count(change->changed), text::count(change->tensors));
        }
        text::setToolTip(row, tip);
        connect(row, &QAbstractButton::clicked, this, [this, i] {
            Q_EMIT diffRequested(m_places[0].checkpoint, m_places[i].checkpoint);
        });
        m_rows->addWidget(row);
        m_lines << m_places[i].name + QStringLiteral(": ") + remark;
    }
    m_progress->setVisible(state == State::Waiting && isSettled());
    m_progress->setText(tr("%1 to read").arg(text::bytes(m_distance.bytes())));
    m_button->setVisible(state == State::Waiting || state == State::Reading ||
                         state == State::Stopped);
    m_button->setText(state == State::Reading   ? tr("Stop")
                      : state == State::Stopped ? tr("Resume")
                                                : tr("Compare Weights"));
    m_button->updateGeometry();
}

} // namespace cairn::ui

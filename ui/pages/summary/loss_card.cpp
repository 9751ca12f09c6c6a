// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/summary/loss_card.h"

#include "ui/charts/curve_chart.h"
#include "ui/pages/history/history_charts.h"
#include "ui/text/plain_text.h"

#include <QVBoxLayout>

#include <algorithm>
#include <vector>

namespace cairn::ui {
namespace {

constexpr int kHeight = 232;
constexpr int kMostHeight = 420;
constexpr double kWidthShare = 0.3; ///< of the width, as the height on a large screen
constexpr double kSmoothing = 0.6;

} // namespace

LossCard::LossCard(QWidget* parent) : QWidget(parent), m_chart(new CurveChart(m_board)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_chart);
    setFixedHeight(kHeight);
    ChartBoard::Options options = m_board.options();
    options.smoothing = kSmoothing;
    options.axisWord = tr("step");
    m_board.setOptions(options);
    connect(m_chart, &CurveChart::checkpointChosen, this, &LossCard::checkpointChosen);
    connect(m_chart, &CurveChart::menuRequested, this, &LossCard::moreRequested);
    connect(m_chart, &CurveChart::enlargeRequested, this, &LossCard::moreRequested);
}

LossCard::~LossCard() {
    delete m_chart; // before the board that it refers to
}

void LossCard::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    setFixedHeight(std::clamp(static_cast<int>(width() * kWidthShare), kHeight, kMostHeight));
}

void LossCard::show(const HistoryPtr& history, const RunPlace& place,
                    const std::filesystem::path& selected) {
    const std::vector<std::string> names = history ? history->names() : std::vector<std::string>();
    if (names.empty()) {
        setVisible(false);
        return;
    }
    ChartedRun run;
    run.history = history;
    run.setPlace(place);
    run.axis = std::make_shared<RunAxis>(*history, AxisChoice{});
    ChartContent content = chartContent({run}, names.front(), selected);
    m_board.resetExtent();
    m_board.setTickWords([runs = std::vector<ChartedRun>{run}](const auto& checkpoint) {
        return tickWords(runs, checkpoint);
    });
    const bool marked = !content.ticks.empty();
    const QString name = content.name;
    m_chart->setContent(std::move(content));
    m_chart->setHead(marked ? tr("%1 over steps · ▲ checkpoints").arg(name)
                            : tr("%1 over steps").arg(name));
    setVisible(true);
}

} // namespace cairn::ui

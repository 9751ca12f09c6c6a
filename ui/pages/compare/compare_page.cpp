// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/compare/compare_page.h"

#include "ui/charts/chart_controls.h"
#include "ui/charts/chart_grid.h"
#include "ui/charts/curve_chart.h"
#include "ui/charts/export_action.h"
#include "ui/charts/plot_canvas.h"
#include "ui/pages/compare/compare_charts.h"
#include "ui/pages/compare/compare_footer.h"
#include "ui/pages/compare/compare_header.h"
#include "ui/pages/compare/compare_side.h"
#include "ui/pages/compare/run_picker.h"
#include "ui/pages/compare/settings_card.h"
#include "ui/pages/compare/summary_sentence.h"
#include "ui/pages/compare/weights_card.h"
#include "ui/pages/notice_pane.h"
#include "ui/pages/page_info.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/button.h"
#include "ui/widgets/run_letter.h"

#include <QHBoxLayout>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace cairn::ui {
namespace {

constexpr double kSmoothing = 0.6;
constexpr int kMinName = 40; ///< px of a run's name in the row above the charts
constexpr int kMaxName = 280;
constexpr int kSettingRows = 6;
constexpr int kFewSettingRows = 3; ///< in a low window, so that charts are seen below them
constexpr int kLow = 520;          ///< px, height of the page

} // namespace

ComparePage::ComparePage(QWidget* parent)
    : Page(parent), m_leftPicker(new RunPicker(0)), m_rightPicker(new RunPicker(1)),
      m_swap(new Button(tr("Swap"))), m_controls(new ChartControls(m_board)),
      m_follow(new Button(tr("Follow"))), m_grid(new ChartGrid(m_board)),
      m_header(new CompareHeader), m_footer(new CompareFooter(m_weights)), m_notice(new NoticePane),
      m_stack(new QStackedWidget), m_side(new CompareSide(this)) {
    build();
    connectParts();
    updateNotice();
    refreshFollow();
}

ComparePage::~ComparePage() {
    delete m_grid; // with the footer, before the board and the distance that they refer to
    delete m_controls;
}

void ComparePage::build() {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* runs = new QHBoxLayout;
    runs->setContentsMargins(2 * theme::kGrid, theme::kGrid, 2 * theme::kGrid, 0);
    runs->setSpacing(2 * theme::kGrid);
    runs->addWidget(m_leftPicker);
    runs->addWidget(m_rightPicker);
    runs->addWidget(m_swap);
    runs->addStretch(1);
    runs->addWidget(m_follow);
    layout->addLayout(runs);
    layout->addWidget(m_controls);
    layout->addWidget(m_stack, 1);
    m_controls->setDefaultSmoothing(kSmoothing);
    m_board.setTickWords(
        [this](const std::filesystem::path& checkpoint) { return tickWords(m_runs, checkpoint); });
    connect(m_controls, &ChartControls::stateChanged, this, [this] { stateChanged(); });
    text::setToolTip(m_swap, tr("Exchange A and B"));
    m_follow->setCheckable(true);
    m_follow->setChecked(true);
    m_stack->addWidget(m_grid);
    m_stack->addWidget(m_notice);
    m_grid->setHeader(m_header);
    m_grid->setFooter(m_footer);
    m_side->hide(); // until the shell takes it
}

void ComparePage::connectParts() {
    connect(m_leftPicker, &RunPicker::chosen, this,
            [this](const RunPlace& run) { Q_EMIT runsChosen(run, m_right); });
    connect(m_rightPicker, &RunPicker::chosen, this,
            [this](const RunPlace& run) { Q_EMIT runsChosen(m_left, run); });
    connect(m_swap, &QPushButton::clicked, this, [this] { Q_EMIT runsChosen(m_right, m_left); });
    for (HistoryFollower* follower : {&m_leftHistory, &m_rightHistory}) {
        connect(follower, &HistoryFollower::changed, this, &ComparePage::historiesChanged);
    }
    connect(m_follow, &QPushButton::toggled, this, [this](bool follows) {
        m_leftHistory.setPaused(!follows);
        m_rightHistory.setPaused(!follows);
    });
    connect(m_controls, &ChartControls::axisChosen, this, &ComparePage::recompare);
    connect(m_controls, &ChartControls::tablesToggled, m_grid, &ChartGrid::setTablesShown);
    connect(m_controls, &ChartControls::exportRequested, this, [this](ExportFormat format) {
        exportCharts(m_grid->exportedNames(), format,
                     m_left->name + QStringLiteral("-against-") + m_right->name);
    });
    connect(
        m_grid, &ChartGrid::exportRequested, this,
        [this](const QString& name, ExportFormat format) { exportCharts({name}, format, name); });
    connect(m_grid, &ChartGrid::checkpointChosen, this, [this](const auto& checkpoint) {
        m_side->choosePairOf(checkpoint);
        Q_EMIT checkpointChosen(checkpoint);
    });
    connect(m_header->showAllButton(), &QPushButton::clicked, this,
            &ComparePage::clearFilterRequested);
    connect(m_header->settings(), &SettingsCard::ignoredChanged, this,
            &ComparePage::recompareSettings);
    connect(m_footer->weights(), &WeightsCard::diffRequested, m_side, &CompareSide::diff);
    connect(m_side, &CompareSide::diffRequested, this, &ComparePage::diffRequested);
    connect(m_side, &CompareSide::checkpointChosen, this, &ComparePage::checkpointChosen);
    connect(m_side, &CompareSide::divergenceChanged, this, [this] {
        m_header->setDivergence(
            m_side->isVisible() || m_comparison == nullptr
                ? QString()
                : m_side->divergence().replace(QStringLiteral("\n\n"), QStringLiteral(" ")));
    });
    connect(m_side, &CompareSide::metricChosen, this, [this] {
        setSentence();
        fillCharts();
    });
    connect(m_side, &CompareSide::pairChosen, this,
            [this] { m_footer->weights()->showPair(m_side->pair(), m_side->pairWords()); });
    connect(&m_weights, &WeightDistance::changed, this, &ComparePage::refreshWeights);
    connect(m_notice, &NoticePane::actionChosen, this, &ComparePage::noticeAction);
}

extern const PageInfo kComparePage;
const PageInfo kComparePage{
    .id = "compare",
    .title = [] { return ComparePage::tr("Compare"); },
    .shows = Page::Subject::Experiment,
    .make = [](const PageParts&) -> Page* { return new ComparePage; },
};

const PageInfo& ComparePage::info() const {
    return kComparePage;
}

QJsonObject ComparePage::keptState() const {
    QJsonObject state = m_controls->keptState();
    m_grid->keepHidden(state);
    return state;
}

void ComparePage::restoreState(const QJsonObject& state) {
    m_controls->restoreState(state);
    m_grid->restoreHidden(state);
}

QString ComparePage::filterHint() const {
    return tr("Filter metrics…");
}

QWidget* ComparePage::sidePanel() {
    return m_comparison != nullptr ? m_side : nullptr; // no empty column
}

void ComparePage::showCheckpoint(const CheckpointPtr&) {}

void ComparePage::clear() {}

void ComparePage::setFilter(const QString& text) {
    m_grid->setFilter(text);
    updateNotice();
}

QWidget* ComparePage::filterTarget() {
    if (m_grid->shownNames().empty()) {
        return nullptr;
    }
    const CurveChart* first = m_grid->chart(m_grid->shownNames().front());
    return first != nullptr ? first->canvas() : nullptr;
}

void ComparePage::setRunSource(const std::function<std::vector<RunPlace>()>& source) {
    m_leftPicker->setSource(source);
    m_rightPicker->setSource(source);
}

void ComparePage::compare(const std::optional<RunPlace>& left,
                          const std::optional<RunPlace>& right) {
    const auto pathOf = [](const std::optional<RunPlace>& run) {
        return run ? run->path : std::filesystem::path();
    };
    const bool same = pathOf(left) == pathOf(m_left) && pathOf(right) == pathOf(m_right);
    m_left = left;
    m_right = right;
    m_leftPicker->setRun(left);
    m_rightPicker->setRun(right);
    m_swap->setEnabled(isComparing());
    if (!same || !isComparing()) {
        m_comparer.cancel();
        m_comparison.reset();
        m_unpublished.reset();
        m_runs.clear();
        m_weights.setPairs({});
        m_side->clear();
        m_board.fit();
    }
    m_left ? m_leftHistory.follow(*m_left) : m_leftHistory.clear();
    m_right ? m_rightHistory.follow(*m_right) : m_rightHistory.clear();
    historiesChanged();
}

void ComparePage::setSelected(const std::filesystem::path& checkpoint) {
    if (checkpoint != m_selected) {
        m_selected = checkpoint;
        std::vector<ChartTick> ticks;
        for (const ChartedRun& run : m_runs) {
            std::ranges::move(chartTicks(run, m_selected), std::back_inserter(ticks));
        }
        m_grid->replaceTicks([&](const QString& name) { // pairs are on the axis of the weights
            return name == weightChartName() ? m_grid->contentOf(name).ticks : ticks;
        });
    }
}

void ComparePage::historiesChanged() {
    const bool ready = m_leftHistory.state() == HistoryFollower::State::Ready &&
                       m_rightHistory.state() == HistoryFollower::State::Ready;
    if (isComparing() && ready) {
        recompare();
    }
    refreshFollow();
    updateNotice();
}

CompareOptions ComparePage::options() const {
    CompareOptions options;
    options.axis = compareAxis(m_controls->axis());
    options.ignore = m_header->settings()->ignored();
    return options;
}

void ComparePage::recompare() {
    const HistoryPtr left = m_leftHistory.history();
    const HistoryPtr right = m_rightHistory.history();
    if (!isComparing() || !left || !right) {
        return;
    }
    m_comparer.start(
        [left, right, a = m_left->run, b = m_right->run,
         options = options()](const CancelToken&) -> Result<std::shared_ptr<const RunComparison>> {
            return std::make_shared<const RunComparison>(
                compareRuns(*left, *right, &a, &b, options));
        },
        [this](Result<std::shared_ptr<const RunComparison>> comparison) {
            if (comparison) {
                publish(std::move(*comparison));
            } else {
                m_notice->showError(tr("The runs cannot be compared"), comparison.error(),
                                    tr("Retry"));
                m_stack->setCurrentWidget(m_notice);
            }
        });
}

void ComparePage::recompareSettings() {
    if (m_comparison == nullptr) {
        return;
    }
    m_settingsComparer.start(
        [left = m_leftHistory.history(), right = m_rightHistory.history(),
         options = options()](const CancelToken&) -> Result<SettingsComparison> {
            return compareSettings(left->settings, right->settings, options);
        },
        [this](const Result<SettingsComparison>& settings) {
            if (settings && m_comparison != nullptr) { // the sentence ignores them, too
                auto changed = std::make_shared<RunComparison>(*m_comparison);
                changed->settings = *settings;
                m_comparison = std::move(changed);
                m_header->settings()->show(*settings);
                setSentence();
            }
        });
}

void ComparePage::publish(std::shared_ptr<const RunComparison> comparison) {
    if (!isVisible()) { // filling tables and charts takes longer than a turn should
        m_unpublished = std::move(comparison);
        return;
    }
    m_unpublished.reset();
    const bool isFirst = m_comparison == nullptr; // of these runs
    m_comparison = std::move(comparison);
    const RunHistory& left = *m_leftHistory.history();
    const RunHistory& right = *m_rightHistory.history();
    const AxisChoice compared = m_controls->axis();
    m_controls->setAxes(sharedAxes(left, right), sharedAxisMetrics(left, right));
    const AxisChoice& axis = m_controls->axis();
    if (!(axis == compared)) { // the chosen axis is available now, or no longer
        recompare();
        return;
    }
    m_board.resetExtent();
    m_runs = {{m_leftHistory.history(), *m_left, RunLetter::text(0), 0,
               std::make_shared<RunAxis>(left, axis)},
              {m_rightHistory.history(), *m_right, RunLetter::text(1), 1,
               std::make_shared<RunAxis>(right, axis)}};
    m_side->show(m_comparison, *m_left, *m_right, figureAxis(axis), options().tolerance);
    m_header->settings()->show(m_comparison->settings);
    setSentence();
    QStringList sources = sourceLines(m_runs[0]);
    sources << sourceLines(m_runs[1]);
    m_footer->showLines(unmatchedMetricLines(*m_comparison), sources);
    m_weights.setPairs(weightPairs(m_comparison->checkpoints, m_left->run, m_right->run));
    m_footer->weights()->showPair(m_side->pair(), m_side->pairWords());
    fillCharts();
    m_side->showWeights(m_weights);
    updateNotice();
    if (isFirst && isVisible()) {
        announce(this, m_header->sentence());
    }
    Q_EMIT changed();
}

/// By the metric of the figures.
void ComparePage::setSentence() {
    m_header->setSentence(
        summarySentence(summaryOf(*m_comparison, &m_left->run, &m_right->run, m_side->metric())));
}

void ComparePage::fillCharts() {
    m_names.clear();
    std::vector<QString> names;
    const std::string first = m_side->metric(); // the one of sentence and figures
    for (std::size_t i = 0; i < m_comparison->metrics.size(); ++i) {
        const std::string& metric = m_comparison->metrics[i].name;
        const QString name = text::fromCore(metric);
        if (m_names.emplace(name, i).second) {
            names.insert(metric == first ? names.begin() : names.end(), name);
        }
    }
    m_weightsCharted = m_weights.knownPairs() > 0;
    if (m_weightsCharted) {
        const std::size_t at = std::min(weightChartPlace(*m_comparison), names.size());
        names.insert(names.begin() + static_cast<std::ptrdiff_t>(at), weightChartName());
    }
    m_grid->setCharts(std::move(names), [this](const QString& name) { return contentOf(name); });
}

ChartContent ComparePage::contentOf(const QString& name) const {
    const auto known = m_names.find(name);
    if (m_runs.size() != 2 || m_comparison == nullptr) {
        return {};
    }
    if (known == m_names.end()) {
        return weightContent(m_runs[0], m_right->run, *m_comparison, m_weights, m_selected);
    }
    const MetricComparison& metric = m_comparison->metrics[known->second];
    ChartContent content = chartContent(m_runs, {metric.left.name, metric.right.name}, m_selected);
    content.name = name;
    return content;
}

void ComparePage::refreshWeights() {
    if (m_comparison == nullptr || m_runs.size() != 2) {
        return;
    }
    m_side->showWeights(m_weights);
    if (m_weightsCharted != (m_weights.knownPairs() > 0)) {
        fillCharts();
    } else if (CurveChart* chart = m_grid->chart(weightChartName())) {
        chart->setContent(contentOf(weightChartName()));
    }
}

bool ComparePage::showsResult() const {
    return m_stack->currentWidget() == m_grid;
}

bool ComparePage::isSettled() const {
    const auto reads = [](const HistoryFollower& follower) {
        return follower.state() == HistoryFollower::State::Reading;
    };
    return !reads(m_leftHistory) && !reads(m_rightHistory) && !m_comparer.isRunning() &&
           !m_settingsComparer.isRunning() && !m_side->isSorting() &&
           !m_header->settings()->isSorting() && m_board.turns().isEmpty();
}

void ComparePage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    m_leftHistory.setWatched(true);
    m_rightHistory.setWatched(true);
    if (m_unpublished != nullptr) {
        publish(std::exchange(m_unpublished, nullptr));
    }
}

void ComparePage::hideEvent(QHideEvent* event) {
    Page::hideEvent(event);
    m_leftHistory.setWatched(false);
    m_rightHistory.setWatched(false);
}

void ComparePage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    const int others = m_leftPicker->widthBesideName() + m_rightPicker->widthBesideName() +
                       m_swap->sizeHint().width() + m_follow->sizeHint().width() +
                       12 * theme::kGrid; // margins and gaps
    const int room = std::clamp((width() - others) / 2, kMinName, kMaxName);
    m_leftPicker->setNameWidth(room);
    m_rightPicker->setNameWidth(room);
    m_header->settings()->setMostRows(height() < kLow ? kFewSettingRows : kSettingRows);
}

} // namespace cairn::ui

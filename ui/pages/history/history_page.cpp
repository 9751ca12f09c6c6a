// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/history/history_page.h"

#include "ui/charts/chart_controls.h"
#include "ui/charts/chart_grid.h"
#include "ui/charts/curve_chart.h"
#include "ui/charts/export_action.h"
#include "ui/charts/plot_canvas.h"
#include "ui/pages/history/curve_values.h"
#include "ui/pages/history/weights_button.h"
#include "ui/pages/notice_pane.h"
#include "ui/pages/page_info.h"
#include "ui/text/core_text.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/message_strip.h"

#include <QHBoxLayout>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace cairn::ui {
namespace {

constexpr int kMaxWarnings = 4;
constexpr std::size_t kMaxSources = 40;

} // namespace

HistoryPage::HistoryPage(HistoryFollower& follower, QWidget* parent)
    : Page(parent), m_follower(follower), m_controls(new ChartControls(m_board)),
      m_follow(new Button(tr("Follow"))), m_warnings(new MessageStrip),
      m_grid(new ChartGrid(m_board)), m_sources(new Card(tr("Sources"))),
      m_values(new CurveValues(follower)), m_notice(new NoticePane), m_stack(new QStackedWidget) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_controls);
    auto* strip = new QVBoxLayout;
    strip->setContentsMargins(2 * theme::kGrid, 0, 2 * theme::kGrid, 0);
    strip->addWidget(m_warnings);
    layout->addLayout(strip);
    m_warnings->hide();
    m_warnings->setContentsMargins(0, 2 * theme::kGrid - 2, 0, 0);
    layout->addWidget(m_stack, 1);
    m_stack->addWidget(m_grid);
    m_stack->addWidget(m_notice);
    m_grid->setFooter(m_sources);
    m_follow->setCheckable(true);
    m_follow->setChecked(true);
    m_controls->trailing()->addWidget(new WeightsButton(m_weights));
    m_controls->trailing()->addWidget(m_follow);
    m_controls->setDefaultSmoothing(0.6);
    m_board.setTickWords(
        [this](const std::filesystem::path& checkpoint) { return tickWords(m_runs, checkpoint); });
    connect(m_controls, &ChartControls::stateChanged, this, [this] { stateChanged(); });

    connect(m_controls, &ChartControls::axisChosen, this, &HistoryPage::remake);
    connect(m_controls, &ChartControls::tablesToggled, m_grid, &ChartGrid::setTablesShown);
    connect(m_controls, &ChartControls::exportRequested, this, [this](ExportFormat format) {
        std::vector<ChartContent> shown;
        for (const QString& name : m_grid->exportedNames()) {
            shown.push_back(m_grid->contentOf(name));
        }
        askAndExport(*this, m_saver, ChartExport(std::move(shown), m_board), format,
                     m_place.name + QStringLiteral("-history"),
                     [this](const QString& line) { Q_EMIT statusMessage(line); });
    });
    connect(m_grid, &ChartGrid::checkpointChosen, this, &HistoryPage::checkpointChosen);
    connect(m_grid, &ChartGrid::exportRequested, this,
            [this](const QString& name, ExportFormat format) {
                askAndExport(*this, m_saver, ChartExport({m_grid->contentOf(name)}, m_board),
                             format, name,
                             [this](const QString& line) { Q_EMIT statusMessage(line); });
            });
    connect(m_follow, &QPushButton::toggled, this,
            [this](bool follows) { m_follower.setPaused(!follows); });
    connect(m_notice, &NoticePane::actionChosen, this, [this] {
        if (m_history && !m_names.empty()) {
            Q_EMIT clearFilterRequested();
        } else {
            m_follower.reload();
        }
    });
    connect(&m_weights, &WeightCurves::changed, this, [this] {
        remake();
        updateNotice();
    });
    connect(&m_weights, &WeightCurves::failed, this,
            [this](const Error& error) { Q_EMIT statusMessage(text::describe(error).title); });
    connect(&follower, &HistoryFollower::changed, this, &HistoryPage::refresh);
    refresh();
}

HistoryPage::~HistoryPage() {
    delete m_grid; // before the board that its charts refer to
    delete m_controls;
}

extern const PageInfo kHistoryPage;
const PageInfo kHistoryPage{
    .id = "history",
    .title = [] { return HistoryPage::tr("History"); },
    .shows = Page::Subject::Run,
    .make = [](const PageParts& parts) -> Page* { return new HistoryPage(parts.follower); },
};

const PageInfo& HistoryPage::info() const {
    return kHistoryPage;
}

QJsonObject HistoryPage::keptState() const {
    QJsonObject state = m_controls->keptState();
    m_grid->keepHidden(state);
    return state;
}

void HistoryPage::restoreState(const QJsonObject& state) {
    m_controls->restoreState(state);
    m_grid->restoreHidden(state);
}

QString HistoryPage::filterHint() const {
    return tr("Filter metrics…");
}

void HistoryPage::showCheckpoint(const CheckpointPtr&) {}

void HistoryPage::clear() {}

void HistoryPage::setFilter(const QString& text) {
    m_grid->setFilter(text);
    updateNotice();
}

QWidget* HistoryPage::sidePanel() {
    return m_values;
}

QWidget* HistoryPage::filterTarget() {
    if (m_grid->shownNames().empty()) {
        return nullptr;
    }
    const CurveChart* first = m_grid->chart(m_grid->shownNames().front());
    return first != nullptr ? first->canvas() : nullptr;
}

void HistoryPage::showRun(const RunPlace& place, const std::filesystem::path& selected) {
    const bool otherRun = place.path != m_place.path;
    const bool otherColours = place.mark != m_place.mark;
    m_place = place;
    m_selected = selected;
    m_weights.setRun(place);
    if (otherRun) {
        m_history.reset(); // that of the previous run
        refresh();
    } else if (m_history) {
        for (ChartedRun& run : m_runs) {
            run.setPlace(place);
        }
        if (otherColours) {
            m_grid->refill();
        } else if (!m_runs.empty()) {
            const std::vector<ChartTick> ticks = chartTicks(m_runs.front(), m_selected);
            m_grid->replaceTicks([&](const QString&) { return ticks; });
        }
    }
}

bool HistoryPage::showsCharts() const {
    return m_stack->currentWidget() == m_grid;
}

void HistoryPage::refresh() {
    const HistoryPtr& history = m_follower.history();
    if (history != m_history || !history) {
        m_history = history;
        remake();
    }
    refreshFollow();
    updateNotice();
}

void HistoryPage::refreshFollow() {
    m_follow->setText(m_follower.isPaused()    ? tr("Paused")
                      : m_follower.isGrowing() ? tr("Following")
                                               : tr("Follow"));
    m_follow->updateGeometry();
    text::setToolTip(m_follow, m_follower.isPaused()
                                   ? tr("Updates are paused; click to follow the files")
                                   : tr("The files are read again when they grow; click to pause"));
    m_follow->setEnabled(m_history != nullptr);
}

void HistoryPage::remake() {
    m_runs.clear();
    m_names.clear();
    m_sources->hide();
    m_warnings->hide();
    std::vector<QString> names;
    std::vector<QString> lone;
    if (m_history) {
        m_controls->setAxes(possibleAxes(*m_history), axisMetrics(*m_history));
        m_board.resetExtent();
        ChartedRun run;
        run.history = m_history;
        run.setPlace(m_place);
        run.axis = std::make_shared<RunAxis>(*m_history, m_controls->axis());
        m_runs.push_back(std::move(run));
        names = m_weights.names();
        for (const std::string& name : m_history->names()) {
            const QString shown = text::fromCore(name);
            if (m_names.emplace(shown, name).second) {
                const MetricSeries* series = m_history->primary(name);
                const bool isLone = !names.empty() && series != nullptr && series->size() <= 1;
                (isLone ? lone : names).push_back(shown);
            }
        }
        showSources(*m_history);
        showWarnings(*m_history);
    }
    m_grid->setCharts(
        std::move(names), [this](const QString& name) { return contentOf(name); }, std::move(lone));
}

ChartContent HistoryPage::contentOf(const QString& name) const {
    if (auto weights = m_weights.content(name, m_runs.front().axis, m_selected)) {
        return std::move(*weights);
    }
    const auto written = m_names.find(name);
    ChartContent content =
        chartContent(m_runs, written != m_names.end() ? written->second : "", m_selected);
    if (m_runs.size() == 1 && written != m_names.end()) {
        addHeldOutCurve(content, m_runs.front(), written->second);
    }
    content.name = name;
    return content;
}

void HistoryPage::showSources(const RunHistory& history) {
    QVBoxLayout* lines = m_sources->content();
    while (QLayoutItem* item = lines->takeAt(0)) {
        if (item->widget() != nullptr) {
            item->widget()->hide();
            item->widget()->deleteLater();
        }
        delete item;
    }
    lines->setSpacing(theme::kGrid / 2);
    for (std::size_t i = 0; i < std::min(history.sources.size(), kMaxSources); ++i) {
        const HistorySource& source = history.sources[i];
        std::size_t metrics = 0;
        std::size_t points = 0;
        for (const MetricSeries& series : history.series) {
            const std::vector<std::uint32_t> from = sourcesOf(series);
            if (std::ranges::find(from, i) != from.end()) {
                ++metrics;
                points += series.size() + series.replaced.size();
            }
        }
        auto* row = new QWidget;
        auto* cells = new QHBoxLayout(row);
        cells->setContentsMargins(0, 0, 0, 0);
        cells->setSpacing(theme::kGrid);
        auto* name =
            new TextLabel(sourceName(history, static_cast<std::uint32_t>(i), m_place.path));
        name->setElideMiddle(true);
        QStringList facts{sourceKind(source)};
        if (metrics > 0) {
            facts << tr("%Ln metrics", nullptr, static_cast<int>(metrics))
                  << tr("%Ln points", nullptr, static_cast<int>(points));
        } else {
            facts << tr("settings");
        }
        facts << text::bytes(source.bytes);
        cells->addWidget(name);
        cells->addWidget(new TextLabel(facts.join(QStringLiteral(" · ")), theme::Tone::Dim));
        cells->addStretch(1);
        lines->addWidget(row);
        for (const QString& warning : noticeLines(source.warnings).mid(0, kMaxWarnings)) {
            auto* label = new TextLabel(warning, theme::Tone::Attention);
            label->setContentsMargins(2 * theme::kGrid, 0, 0, 0);
            label->setElideMiddle(true);
            lines->addWidget(label);
        }
    }
    if (history.sources.size() > kMaxSources) {
        lines->addWidget(new TextLabel(
            tr("and %Ln more", nullptr, static_cast<int>(history.sources.size() - kMaxSources)),
            theme::Tone::Dim));
    }
    m_sources->setVisible(!history.sources.empty());
}

void HistoryPage::showWarnings(const RunHistory& history) {
    QStringList lines = noticeLines(history.warnings);
    int worst = 0;
    for (std::size_t i = 0; i < history.sources.size(); ++i) {
        for (const Notice& notice : history.sources[i].warnings) {
            if (notice.severity == Severity::Info) {
                continue;
            }
            worst = std::max(worst, static_cast<int>(notice.severity));
            const QStringList words = noticeLines({notice});
            lines << sourceName(history, static_cast<std::uint32_t>(i), m_place.path) +
                         QStringLiteral(": ") + words.join(QLatin1Char(' '));
        }
    }
    if (lines.isEmpty()) {
        return;
    }
    const int count = static_cast<int>(lines.size());
    QString detail = lines.mid(0, kMaxWarnings).join(QLatin1Char('\n'));
    if (count > kMaxWarnings) {
        detail += QLatin1Char('\n') + tr("and %Ln more", nullptr, count - kMaxWarnings);
    }
    m_warnings->show(
        {worst == static_cast<int>(Severity::Error) ? theme::Tone::Broken : theme::Tone::Attention,
         tr("%Ln warnings about these curves", nullptr, count),
         detail,
         {}});
}

void HistoryPage::updateNotice() {
    switch (m_follower.state()) {
    case HistoryFollower::State::Empty:
        m_notice->showMessage(tr("No run is selected"), tr("Select a checkpoint on the left."));
        break;
    case HistoryFollower::State::Reading:
        m_notice->showMessage(tr("Reading the history…"), text::fromPath(m_follower.run()));
        break;
    case HistoryFollower::State::Failed:
        m_notice->showError(tr("The history cannot be read"), *m_follower.error(), tr("Retry"));
        break;
    case HistoryFollower::State::Ready:
        if (m_names.empty() && m_weights.names().empty()) {
            QStringList kinds;
            for (const HistoryReader* reader : historyReaders()) {
                kinds << text::coreText(reader->title);
            }
            m_notice->showMessage(
                tr("No history found for this run"),
                tr("Cairn searches the run's folder and the log folders above it for: %1.")
                    .arg(kinds.join(QStringLiteral(", "))),
                tr("Refresh"));
        } else if (m_grid->isEmpty()) {
            m_notice->showMessage(tr("No metric matches the filter"),
                                  tr("%Ln metrics are hidden by the filter.", nullptr,
                                     static_cast<int>(m_grid->total())),
                                  tr("Show All Metrics"));
        }
        break;
    }
    const bool charts = m_follower.state() == HistoryFollower::State::Ready && !m_grid->isEmpty();
    m_stack->setCurrentWidget(charts ? static_cast<QWidget*>(m_grid) : m_notice);
    m_controls->setEnabled(charts);
}

void HistoryPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    m_follower.setWatched(true);
}

void HistoryPage::hideEvent(QHideEvent* event) {
    Page::hideEvent(event);
    m_follower.setWatched(false);
}

} // namespace cairn::ui

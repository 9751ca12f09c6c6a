// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_controls.h"

#include "ui/text/plain_text.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/outlined.h"

#include <QActionGroup>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QSignalBlocker>
#include <QSlider>

#include <algorithm>
#include <cmath>

namespace cairn::ui {
namespace {

constexpr int kMaxMetrics = 40; ///< in the menu
constexpr double kMaxSmoothing = 0.99;
constexpr int kSlider = 90; ///< px that the slider needs
constexpr int kMinWidth = 300;

} // namespace

ChartControls::ChartControls(ChartBoard& board, QWidget* parent)
    : QWidget(parent), m_board(board), m_kinds({AxisChoice::Kind::Step}),
      m_leading(new QHBoxLayout), m_trailing(new QHBoxLayout), m_axisButton(new Button(QString())),
      m_axisMenu(new QMenu(this)), m_log(new Button(tr("Log y"))), m_zoom(new Button(QString())),
      m_smoothingLabel(new TextLabel(tr("Smoothing"), theme::Tone::Dim)),
      m_slider(new QSlider(Qt::Horizontal)), m_spin(new Outlined<QDoubleSpinBox>) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(2 * theme::kGrid, theme::kGrid, 2 * theme::kGrid, theme::kGrid + 1);
    layout->setSpacing(theme::kGrid);
    m_leading->setSpacing(theme::kGrid);
    m_trailing->setSpacing(theme::kGrid);
    layout->addLayout(m_leading);
    m_axisButton->setMenu(m_axisMenu);
    m_axisButton->setAccessibleName(tr("X axis"));
    m_axisButton->setToolTip(tr("X axis"));
    layout->addWidget(m_axisButton);
    m_log->setCheckable(true);
    m_log->setAccessibleName(tr("Logarithmic Y Axis")); // as the menu names the same switch
    m_log->setToolTip(tr("Show values on a logarithmic scale"));
    layout->addWidget(m_log);
    text::setToolTip(m_zoom, tr("Show everything again"));
    connect(m_zoom, &QPushButton::clicked, &m_board, &ChartBoard::fit);
    layout->addWidget(m_zoom);
    m_slider->setRange(0, static_cast<int>(kMaxSmoothing * 100));
    m_slider->setMinimumWidth(50);
    m_slider->setMaximumWidth(120);
    m_slider->setAccessibleName(tr("Smoothing"));
    m_spin->setRange(0, kMaxSmoothing);
    m_spin->setSingleStep(0.05);
    m_spin->setDecimals(2);
    m_spin->setMinimumHeight(theme::kControlHeight);
    m_spin->setAccessibleName(tr("Smoothing as a number"));
    const QString formula =
        tr("Exponential moving average with bias correction, as in TensorBoard: each point keeps "
           "this fraction of the previous average. The raw curve is drawn faintly under it. "
           "Curves with fewer than %1 points are not smoothed.")
            .arg(kMinSmoothed);
    text::setToolTip(m_slider, formula);
    text::setToolTip(m_spin, formula);
    m_spin->setMinimumHeight(theme::kControlHeight);
    layout->addSpacing(theme::kGrid / 2);
    layout->addWidget(m_smoothingLabel);
    layout->addWidget(m_slider, 1);
    layout->addWidget(m_spin);
    layout->addStretch(1);
    buildViewMenu();
    layout->addLayout(m_trailing);

    connect(m_log, &QPushButton::toggled, this, &ChartControls::applyOptions);
    connect(m_slider, &QSlider::valueChanged, this,
            [this](int value) { m_spin->setValue(value / 100.0); });
    connect(m_spin, &QDoubleSpinBox::valueChanged, this, [this](double value) {
        const QSignalBlocker quiet(m_slider);
        m_slider->setValue(static_cast<int>(std::lround(value * 100)));
        m_ownSmoothing = true;
        applyOptions();
    });
    connect(&m_board, &ChartBoard::optionsChanged, this, [this] {
        m_log->setChecked(m_board.options().yScale == Scale::Log); // a chart's menu has it, too
        Q_EMIT stateChanged();
    });
    connect(&m_board, &ChartBoard::viewChanged, this, &ChartControls::updateZoomChip);
    buildAxisMenu();
    applyOptions();
    updateZoomChip();
}

void ChartControls::updateZoomChip() {
    const bool isZoomed = m_board.isZoomed();
    if (isZoomed) {
        const AxisUnit unit = m_board.options().unit;
        const Range shown = m_board.shown();
        const auto edge = [&](double value) { // of a drag: between two steps
            return axisValue(unit == AxisUnit::Whole ? std::round(value) : value, unit);
        };
        const QString range =
            m_board.view().x ? tr("%1–%2", "zoomed range").arg(edge(shown.low), edge(shown.high))
                             : tr("zoomed");
        m_zoom->setText(range + QStringLiteral(" ×"));
        m_zoom->setAccessibleName(tr("Zoomed to %1; show everything").arg(range));
        m_zoom->updateGeometry();
    }
    m_zoom->setVisible(isZoomed);
    arrange();
}

void ChartControls::buildViewMenu() {
    auto* menu = new QMenu(this);
    m_logY = menu->addAction(tr("Logarithmic Y Axis"));
    m_logY->setCheckable(true);
    m_logX = menu->addAction(tr("Logarithmic X Axis"));
    m_logX->setCheckable(true);
    buildSmoothingMenu(*menu->addMenu(tr("Smoothing")));
    m_tables = menu->addAction(tr("Show Data Tables"));
    m_tables->setCheckable(true);
    menu->addSeparator();
    m_fit = menu->addAction(tr("Fit All"));
    m_back = menu->addAction(tr("Previous View"));
    m_forward = menu->addAction(tr("Next View"));
    m_view = new Button(tr("View"));
    m_view->setMenu(menu);
    m_view->setToolTip(tr("Scales, smoothing, data tables and zoom history"));
    connect(m_logY, &QAction::toggled, m_log, &QPushButton::setChecked);
    connect(m_log, &QPushButton::toggled, m_logY, &QAction::setChecked);
    connect(m_logX, &QAction::toggled, this, &ChartControls::applyOptions);
    connect(m_tables, &QAction::toggled, this, &ChartControls::tablesToggled);
    connect(m_tables, &QAction::toggled, this, &ChartControls::stateChanged);
    connect(m_fit, &QAction::triggered, &m_board, &ChartBoard::fit);
    connect(m_back, &QAction::triggered, &m_board, &ChartBoard::back);
    connect(m_forward, &QAction::triggered, &m_board, &ChartBoard::forward);
    connect(&m_board, &ChartBoard::viewChanged, this, &ChartControls::updateViewMenu);
    m_trailing->addWidget(m_view);

    auto* exports = new QMenu(tr("Export"), this); // also used if there is no space for the button
    for (const ExportFormat format : {ExportFormat::Png, ExportFormat::Svg, ExportFormat::Pdf,
                                      ExportFormat::Csv, ExportFormat::Json}) {
        connect(exports->addAction(exportTitle(format)), &QAction::triggered, this,
                [this, format] { Q_EMIT exportRequested(format); });
    }
    m_export = new Button(tr("Export"));
    m_export->setMenu(exports);
    m_export->setToolTip(tr("Export the charts to a file"));
    m_trailing->addWidget(m_export);
    menu->addSeparator();
    menu->addMenu(exports);
    updateViewMenu();
}

void ChartControls::buildSmoothingMenu(QMenu& menu) {
    for (const double weight : {0.0, 0.3, 0.6, 0.9, 0.97}) {
        QAction* action = menu.addAction(weight == 0 ? tr("None") : text::number(weight));
        connect(action, &QAction::triggered, this, [this, weight] { setSmoothing(weight); });
    }
}

void ChartControls::updateViewMenu() {
    m_fit->setEnabled(m_board.isZoomed());
    m_back->setEnabled(m_board.canGoBack());
    m_forward->setEnabled(m_board.canGoForward());
}

QString ChartControls::axisTitle(const AxisChoice& axis) {
    switch (axis.kind) {
    case AxisChoice::Kind::Step:
        return tr("Step");
    case AxisChoice::Kind::Epoch:
        return tr("Epoch");
    case AxisChoice::Kind::Elapsed:
        return tr("Elapsed Time");
    case AxisChoice::Kind::Wall:
        return tr("Time of Day");
    case AxisChoice::Kind::Metric:
        break;
    }
    return text::fromCore(axis.metric);
}

QString ChartControls::axisWord(const AxisChoice& axis) {
    switch (axis.kind) {
    case AxisChoice::Kind::Step:
        return tr("step");
    case AxisChoice::Kind::Epoch:
        return tr("epoch");
    case AxisChoice::Kind::Elapsed:
    case AxisChoice::Kind::Wall:
        return tr("time");
    case AxisChoice::Kind::Metric:
        break;
    }
    return text::fromCore(axis.metric);
}

void ChartControls::setAxes(const std::vector<AxisChoice::Kind>& kinds,
                            std::vector<std::string> metrics) {
    m_kinds = kinds;
    m_metrics = std::move(metrics);
    m_axis = isAvailable(m_wanted) ? m_wanted
                                   : AxisChoice{AxisChoice::Kind::Step, {}, m_wanted.fromFirst};
    buildAxisMenu();
    applyOptions();
}

bool ChartControls::isAvailable(const AxisChoice& axis) const {
    return axis.kind == AxisChoice::Kind::Metric
               ? std::ranges::find(m_metrics, axis.metric) != m_metrics.end()
               : std::ranges::find(m_kinds, axis.kind) != m_kinds.end();
}

void ChartControls::chooseAxis(const AxisChoice& axis) {
    m_wanted = axis;
    Q_EMIT stateChanged();
    if (axis == m_axis) {
        return;
    }
    m_axis = axis;
    buildAxisMenu();
    m_board.resetExtent();
    applyOptions();
    m_board.fit();
    Q_EMIT axisChosen();
}

void ChartControls::buildAxisMenu() {
    m_axisMenu->clear();
    auto* group = new QActionGroup(m_axisMenu);
    const auto add = [&](const AxisChoice& axis) {
        QAction* action = m_axisMenu->addAction(text::withoutMnemonic(axisTitle(axis)));
        action->setCheckable(true);
        action->setChecked(axis == m_axis);
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, axis] { chooseAxis(axis); });
    };
    for (const AxisChoice::Kind kind : m_kinds) {
        add({kind, {}, m_axis.fromFirst});
    }
    if (!m_metrics.empty()) {
        m_axisMenu->addSeparator();
    }
    for (std::size_t i = 0; i < std::min<std::size_t>(m_metrics.size(), kMaxMetrics); ++i) {
        add({AxisChoice::Kind::Metric, m_metrics[i], m_axis.fromFirst});
    }
    m_axisMenu->addSeparator();
    QAction* first = m_axisMenu->addAction(tr("Relative to First Point"));
    first->setCheckable(true);
    first->setChecked(m_axis.fromFirst);
    connect(first, &QAction::triggered, this, [this](bool on) {
        AxisChoice axis = m_axis;
        axis.fromFirst = on;
        chooseAxis(axis);
    });
    QString title = text::withoutMnemonic(axisTitle(m_axis));
    if (m_axis.fromFirst) {
        title = tr("%1 from First").arg(title);
    }
    m_axisButton->setText(title);
    m_axisButton->updateGeometry();
}

void ChartControls::applyOptions() {
    ChartBoard::Options options = m_board.options();
    options.yScale = m_log->isChecked() ? Scale::Log : Scale::Linear;
    options.xScale = m_logX->isChecked() ? Scale::Log : Scale::Linear;
    options.smoothing = m_spin->value();
    options.unit = axisUnit(m_axis);
    options.axisWord = axisWord(m_axis);
    m_board.setOptions(options);
}

void ChartControls::setSmoothing(double weight) {
    m_ownSmoothing = true;
    m_spin->setValue(weight);
}

/// Not the user's choice.
void ChartControls::showSmoothing(double weight) {
    const bool own = m_ownSmoothing;
    m_spin->setValue(weight);
    m_ownSmoothing = own;
}

void ChartControls::setDefaultSmoothing(double weight) {
    m_defaultSmoothing = weight;
    if (!m_ownSmoothing) {
        showSmoothing(weight);
    }
}

void ChartControls::setLogValues(bool log) {
    m_log->setChecked(log);
}

void ChartControls::setChartsEnabled(bool enabled) {
    for (QWidget* each : std::initializer_list<QWidget*>{
             m_axisButton, m_log, m_zoom, m_smoothingLabel, m_slider, m_spin, m_view, m_export}) {
        each->setEnabled(enabled);
    }
}

void ChartControls::resizeEvent(QResizeEvent*) {
    arrange();
}

void ChartControls::arrange() {
    if (m_export == nullptr) {
        return; // being built
    }
    const auto wide = [](const QWidget* widget) {
        return widget->sizeHint().width() + theme::kGrid;
    };
    int room = width() - 4 * theme::kGrid - m_leading->sizeHint().width() -
               m_trailing->sizeHint().width() - wide(m_axisButton);
    room -= m_zoom->isHidden() ? 0 : wide(m_zoom);
    room += m_export->isHidden() ? 0 : wide(m_export); // included in the width of the trailing end
    const auto fits = [&](QWidget* widget, int needed) {
        const bool shown = room >= needed;
        room -= shown ? needed : 0;
        widget->setVisible(shown);
        return shown;
    };
    fits(m_export, wide(m_export));
    const bool spin = fits(m_log, wide(m_log)) && fits(m_spin, wide(m_spin));
    const bool word = spin && fits(m_smoothingLabel, wide(m_smoothingLabel) + theme::kGrid);
    m_spin->setVisible(spin);
    m_smoothingLabel->setVisible(word);
    m_slider->setVisible(word && room >= kSlider);
}

QSize ChartControls::minimumSizeHint() const {
    return {kMinWidth, QWidget::minimumSizeHint().height()};
}

void ChartControls::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(QRect(0, height() - 1, width(), 1), theme::hairline(palette()));
}

} // namespace cairn::ui

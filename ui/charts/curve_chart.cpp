// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/curve_chart.h"

#include "ui/charts/curve_table.h"
#include "ui/charts/plot_canvas.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/quiet_views.h"

#include <QContextMenuEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace cairn::ui {
namespace {

constexpr std::size_t kReadOut = 8; ///< values beside the chart's name

} // namespace

/// Values in the colours of their runs, set right; plain text.
class ChartReadout : public QWidget {
public:
    struct Part {
        QString text;
        int series = -1;         ///< -1: dim
        bool isOptional = false; ///< left out first where there is no room
    };

    explicit ChartReadout(QWidget* parent = nullptr) : QWidget(parent) {
        setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
        setAccessibleRole(this, QAccessible::StaticText);
    }
    void setParts(std::vector<Part> parts) {
        m_parts = std::move(parts);
        setAccessibleName(text());
        updateGeometry();
        update();
    }
    QString text() const {
        QStringList texts;
        for (const Part& part : m_parts) {
            texts << part.text;
        }
        return texts.join(QStringLiteral("  "));
    }
    QSize sizeHint() const override {
        const QFontMetrics metrics(theme::mono(theme::small(font())));
        int width = 0;
        for (const Part& part : m_parts) {
            width += metrics.horizontalAdvance(part.text) + kGap;
        }
        return {width, metrics.height()};
    }
    QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setFont(theme::mono(theme::small(font())));
        const QFontMetrics metrics(painter.font());
        int right = width();
        const bool fits = sizeHint().width() - kGap <= width();
        for (std::size_t i = m_parts.size(); i-- > 0;) {
            const int wide = metrics.horizontalAdvance(m_parts[i].text);
            if (!fits && m_parts[i].isOptional) {
                continue;
            }
            if (right - wide < 0) {
                break; // its new size is not known yet
            }
            painter.setPen(m_parts[i].series < 0 ? theme::color(theme::Tone::Dim, palette())
                                                 : theme::series(m_parts[i].series, palette()));
            painter.drawText(QRect(right - wide, 0, wide + 1, height()),
                             Qt::AlignLeft | Qt::AlignVCenter, m_parts[i].text);
            right -= wide + kGap;
        }
    }

private:
    static constexpr int kGap = theme::kGrid + 2;
    std::vector<Part> m_parts;
};

QString differenceText(double left, double right) {
    if (!std::isfinite(left) || !std::isfinite(right)) {
        return {};
    }
    const auto sign = [](double value) {
        return value < 0 ? QStringLiteral("−") : value > 0 ? QStringLiteral("+") : QString();
    };
    const double difference = right - left;
    if (difference == 0) {
        return QStringLiteral("=");
    }
    const double share = difference / std::abs(left) * 100;
    if (left == 0 || std::abs(share) >= 1000) {
        return sign(difference) + text::number(std::abs(difference));
    }
    const double shown = std::abs(share);
    return sign(difference) +
           text::inLocale(QString::number(shown, 'f',
                                          shown < 0.1  ? 3
                                          : shown < 10 ? 1
                                                       : 0)) +
           QStringLiteral(" %");
}

CurveChart::CurveChart(ChartBoard& board, QWidget* parent)
    : Card({}, parent), m_board(board), m_name(new TextLabel({}, theme::Tone::Dim)),
      m_note(new TextLabel({}, theme::Tone::Attention)), m_readout(new ChartReadout),
      m_canvas(new PlotCanvas(board)), m_row(new QHBoxLayout) {
    layout()->setContentsMargins(2 * theme::kGrid - 2, theme::kGrid + 3, theme::kGrid,
                                 theme::kGrid);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(0, 0, theme::kGrid, 0);
    head->setSpacing(theme::kGrid);
    m_name->setFont(theme::small(m_name->font())); // in its own case: names differ by that, too
    m_name->setElideMiddle(true);
    m_note->setFont(theme::small(m_note->font()));
    m_note->hide();
    head->addWidget(m_name, 1);
    head->addWidget(m_note);
    head->addWidget(m_readout);
    Card::content()->setSpacing(theme::kGrid / 2);
    Card::content()->addLayout(head);
    m_row->setSpacing(theme::kGrid);
    m_row->addWidget(m_canvas, 2);
    Card::content()->addLayout(m_row, 1);
    connect(m_canvas, &PlotCanvas::tickClicked, this, [this](int tick) {
        const std::filesystem::path path =
            m_content.ticks.at(static_cast<std::size_t>(tick)).checkpoint;
        Q_EMIT checkpointChosen(path);
    });
    connect(&board, &ChartBoard::crosshairChanged, this, &CurveChart::refreshReadout);
    connect(&board, &ChartBoard::optionsChanged, this, [this] {
        refreshReadout();
        fillTable();
    });
}

CurveChart::~CurveChart() {
    m_canvas->setContent(nullptr);
}

void CurveChart::setContent(ChartContent content) {
    for (ChartCurve& curve : content.curves) {
        curve.faint = m_faint.contains(curve.series);
        m_board.include(curve.data->extent(Scale::Linear), curve.data->extent(Scale::Log));
    }
    if (content == m_content && !content.name.isEmpty()) {
        return;
    }
    m_canvas->setContent(nullptr);
    m_content = std::move(content);
    setHead(m_content.name);
    m_note->setText(m_content.note);
    m_note->setVisible(!m_content.note.isEmpty());
    text::setToolTip(m_note, m_content.noteFull);
    m_canvas->setContent(&m_content);
    m_canvas->setAccessibleName(tr("Chart of %1").arg(m_content.name));
    m_canvas->setAccessibleDescription(accessibleText());
    refreshReadout();
    fillTable();
}

void CurveChart::setFaint(const std::set<int>& series) {
    m_faint = series;
    for (ChartCurve& curve : m_content.curves) {
        curve.faint = m_faint.contains(curve.series);
    }
    m_canvas->penChanged();
}

void CurveChart::setTicks(std::vector<ChartTick> ticks) {
    m_content.ticks = std::move(ticks);
    m_canvas->ticksChanged();
    refreshReadout();
}

void CurveChart::setHead(const QString& head) {
    m_name->setText(head);
    setAccessibleName(head);
}

QString CurveChart::accessibleText() const {
    QStringList sentences;
    for (const ChartCurve& curve : m_content.curves) {
        const auto y = curve.data->y();
        double low = std::numeric_limits<double>::infinity();
        double high = -low;
        std::size_t off = 0;
        for (const double value : y) {
            off += std::isfinite(value) ? 0 : 1;
            low = std::isfinite(value) ? std::min(low, value) : low;
            high = std::isfinite(value) ? std::max(high, value) : high;
        }
        QString sentence = curve.run + QStringLiteral(": ") +
                           tr("%Ln points", nullptr, static_cast<int>(y.size()));
        if (off < y.size()) {
            sentence += tr(", minimum %1, maximum %2, last %3")
                            .arg(text::number(low), text::number(high), text::number(y.back()));
        }
        if (off > 0) {
            sentence += tr(", %Ln non-finite", nullptr, static_cast<int>(off));
        }
        sentences << sentence;
    }
    sentences << tr(
        "Left and Right move from point to point, Up and Down from curve to curve, T "
        "moves to the next checkpoint, Enter selects it, Plus and Minus zoom, Ctrl with "
        "the arrow keys pans, 0 fits all");
    return sentences.join(QStringLiteral(". "));
}

QString CurveChart::readout() const {
    return m_readout->text();
}

/// Where the readout is while there is no crosshair: in a chart of one run at the value that is
/// recorded at, or next to, the selected checkpoint; else at the end of each curve.
std::optional<double> CurveChart::idlePosition() const {
    const auto& curves = m_content.curves;
    const auto selected = std::ranges::find_if(m_content.ticks, &ChartTick::selected);
    if (selected == m_content.ticks.end() || curves.empty()) {
        return std::nullopt;
    }
    std::optional<double> place;
    for (std::size_t i = 0; i < curves.size(); ++i) {
        if (curves[i].run != curves.front().run) {
            return std::nullopt;
        }
        const auto point = place ? std::nullopt : m_canvas->pointAt(i, selected->x);
        place = point ? curves[i].data->x()[*point] : place;
    }
    return place;
}

/// The curves whose values are read out: of many, those with the best values; without a better
/// direction the first ones.
std::set<std::size_t> CurveChart::listedCurves(std::optional<double> x) const {
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t i = 0; i < m_content.curves.size(); ++i) {
        const CurveData& points = *m_content.curves[i].data;
        const std::optional<std::size_t> point = x ? m_canvas->pointAt(i, *x)
                                                 : points.size() > 0
                                                     ? std::optional(points.size() - 1)
                                                     : std::nullopt;
        const double value = point ? points.y()[*point] : std::nan("");
        const bool isFinite = std::isfinite(value);
        order.emplace_back(!isFinite ? std::numeric_limits<double>::infinity()
                           : m_content.better == names::Direction::Larger  ? -value
                           : m_content.better == names::Direction::Smaller ? value
                                                                           : 0,
                           i);
    }
    if (order.size() > kReadOut) {
        std::ranges::stable_sort(order, {}, &std::pair<double, std::size_t>::first);
        order.resize(kReadOut);
    }
    std::set<std::size_t> listed;
    for (const auto& [value, curve] : order) {
        listed.insert(curve);
    }
    return listed;
}

void CurveChart::refreshReadout() {
    std::vector<ChartReadout::Part> parts;
    const std::optional<double> crosshair = m_board.crosshair();
    const std::optional<double> x = crosshair ? crosshair : idlePosition();
    const std::set<std::size_t> listed = listedCurves(x);
    std::vector<double> values;
    std::vector<double> places;
    bool isAtPlace = false; // some value is recorded exactly there
    for (std::size_t i = 0; i < m_content.curves.size(); ++i) {
        const ChartCurve& curve = m_content.curves[i];
        const CurveData& points = *curve.data;
        std::optional<std::size_t> point =
            points.size() > 0 ? std::optional(points.size() - 1) : std::nullopt;
        if (x) {
            point = m_canvas->pointAt(i, *x);
        }
        if (!point || !listed.contains(i)) {
            continue; // no value is recorded there, and none is interpolated
        }
        values.push_back(points.y()[*point]);
        places.push_back(points.x()[*point]);
        QString words = curve.letter.isEmpty() ? QString() : curve.letter + QLatin1Char(' ');
        words += text::number(values.back());
        const QString elsewhere = x ? m_canvas->elsewhere(i, *point, *x) : QString();
        isAtPlace = isAtPlace || elsewhere.isEmpty();
        if (curve.count) { // at the same places
            words +=
                QStringLiteral(" n") + QString::number(static_cast<int>(curve.count->y()[*point]));
        }
        const auto& smoothed = m_canvas->smoothed();
        if (crosshair && m_content.curves.size() == 1 && i < smoothed.size() && smoothed[i]) {
            parts.push_back(
                {tr("smoothed %1").arg(text::number(smoothed[i]->y()[*point])), -1, true});
        }
        parts.push_back({words + elsewhere, curve.series});
    }
    if (m_content.curves.size() > listed.size()) {
        const auto more = static_cast<int>(m_content.curves.size() - listed.size());
        parts.push_back({tr("%Ln more", nullptr, more), -1});
    }
    if (m_content.curves.size() == 2 && values.size() == 2) {
        const QString difference = differenceText(values[0], values[1]);
        const bool apart = std::abs(places[1] - places[0]) > m_board.whole().length() * 1e-3;
        if (!difference.isEmpty()) { // the nearest points are not always at the same position
            parts.push_back({(apart ? QStringLiteral("≈ ") : QString()) + difference, -1, true});
        }
    }
    if (x && isAtPlace) {
        const QString place = axisValue(*x, m_board.options().unit);
        parts.insert(parts.begin(), {m_content.curves.size() == 1
                                         ? m_board.options().axisWord + QLatin1Char(' ') + place
                                         : place,
                                     -1});
    }
    m_readout->setParts(std::move(parts));
    if (m_tableView != nullptr && m_tableView->isVisible() && crosshair &&
        !m_tableView->hasFocus()) {
        const int row = m_table->rowAt(*crosshair);
        if (row >= 0) {
            m_tableView->selectRow(row);
        }
    }
}

void CurveChart::setTableShown(bool shown) {
    if (shown && m_tableView == nullptr) {
        m_table = new CurveTable(this);
        m_tableView = new QuietTableView;
        m_tableView->setModel(m_table);
        m_tableView->setFrameShape(QFrame::NoFrame);
        m_tableView->setShowGrid(false);
        m_tableView->verticalHeader()->hide();
        m_tableView->verticalHeader()->setDefaultSectionSize(m_tableView->fontMetrics().height() +
                                                             6);
        m_tableView->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
        m_tableView->horizontalHeader()->setHighlightSections(false);
        m_tableView->horizontalHeader()->setSortIndicatorShown(true);
        m_tableView->horizontalHeader()->setSortIndicatorClearable(true);
        m_tableView->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
        connect(m_tableView->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this,
                [this](int column, Qt::SortOrder order) {
                    m_sort = {column, order == Qt::DescendingOrder};
                    sortTable();
                });
        describeSorting(m_tableView, m_tableView->horizontalHeader());
        m_tableView->setSelectionBehavior(QAbstractItemView::SelectRows);
        m_tableView->setTabKeyNavigation(false);
        m_tableView->setMinimumWidth(180);
        m_row->addWidget(m_tableView, 1);
        connect(m_tableView->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
                [this](const QModelIndex& current) {
                    if (current.isValid() && m_tableView->hasFocus()) {
                        m_board.setCrosshair(m_table->placeOf(current.row()));
                    }
                });
    }
    if (m_tableView != nullptr) {
        m_tableView->setVisible(shown);
        fillTable();
    }
}

bool CurveChart::isTableShown() const {
    return m_tableView != nullptr && !m_tableView->isHidden();
}

void CurveChart::fillTable() {
    if (!isTableShown()) {
        return;
    }
    m_table->setContent(m_content, m_board.options().unit, m_board.options().axisWord);
    m_tableView->setAccessibleName(tr("Points of %1").arg(m_content.name));
    sortTable();
}

void CurveChart::sortTable() {
    m_sorter.cancel();
    if (m_sort.column < 0) {
        m_table->setOrder({});
        return;
    }
    m_sorter.start(
        [content = m_content, sort = m_sort](const CancelToken& cancel) {
            CurveTable table;
            table.setContent(content, AxisUnit::Plain, {});
            return sortedRows(table, sort, cancel);
        },
        [this](Result<std::vector<std::uint32_t>> order) {
            if (order) {
                m_table->setOrder(std::move(*order));
            }
        });
}

void CurveChart::contextMenuEvent(QContextMenuEvent* event) {
    Q_EMIT menuRequested(event->globalPos());
    event->accept();
}

} // namespace cairn::ui

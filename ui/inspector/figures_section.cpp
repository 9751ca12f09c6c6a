// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/figures_section.h"

#include "ui/inspector/heat_map_view.h"
#include "ui/inspector/histogram_view.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"

#include <QGridLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cairn::ui {
namespace {

constexpr std::size_t kBars = 40;
constexpr std::uint64_t kGroupAutoReadLimit = std::uint64_t{64} << 20U;
constexpr quint64 kGroupAutoReadTensors = 20'000; ///< each costs a few system calls
constexpr double kDeviations =
    4; ///< standard deviations that the histogram covers on either side of the mean

QString reach(bool sampled) {
    return sampled ? FiguresSection::tr("sampled") : FiguresSection::tr("exact");
}

} // namespace

FiguresSection::FiguresSection(QWidget* parent)
    : QWidget(parent), m_caption(captionLabel(tr("Statistics"))), m_numbersBox(new QWidget),
      m_numbers(new QGridLayout(m_numbersBox)), m_histogramCaption(captionLabel({})),
      m_histogram(new HistogramView), m_mapCaption(captionLabel({})), m_map(new HeatMapView),
      m_note(new TextLabel({}, theme::Tone::Dim)), m_readAll(new Button(tr("Compute Exactly"))) {
    m_numbers->setContentsMargins(0, 0, 0, 0);
    m_numbers->setHorizontalSpacing(2 * theme::kGrid);
    m_numbers->setVerticalSpacing(theme::kGrid - 2);
    m_numbers->setColumnStretch(1, 1);
    m_note->setWordWrap(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, theme::kGrid, 0, 0);
    column->setSpacing(theme::kGrid - 2);
    for (QWidget* part :
         std::initializer_list<QWidget*>{m_caption, m_numbersBox, m_histogramCaption, m_histogram,
                                         m_mapCaption, m_map, m_note}) {
        column->addWidget(part);
    }
    column->addWidget(m_readAll, 0, Qt::AlignLeft);
    connect(m_readAll, &QPushButton::clicked, this, [this] {
        m_readAll->hide();
        start(false, true);
    });
    clear();
}

void FiguresSection::clear() {
    m_read.cancel();
    m_reading = {};
    hide();
}

void FiguresSection::begin(Reading reading, std::uint64_t bytes, const QString& what) {
    m_what = what;
    m_reading = std::move(reading);
    m_bytes = bytes;
    for (QWidget* part :
         std::initializer_list<QWidget*>{m_numbersBox, m_histogramCaption, m_histogram,
                                         m_mapCaption, m_map, m_note, m_readAll}) {
        part->hide();
    }
    m_caption->setText(m_what);
    text::setToolTip(m_readAll, tr("Reads %1").arg(text::bytes(bytes)));
    show();
}

void FiguresSection::showTensor(const CheckpointPtr& checkpoint, TensorIndex tensor) {
    clear();
    const TensorEntry& entry = checkpoint->tensor(tensor);
    const bool numbers = canMeasure(entry.dtype) || dtypeInfo(entry.dtype).isBlock();
    if (!numbers || entry.elements() < 2) {
        return; // the value grid already shows everything
    }
    begin(
        [checkpoint, tensor](bool sample, const CancelToken& cancel) {
            return readFigures(checkpoint, tensor, sample, cancel);
        },
        entry.bytes(), tr("Statistics"));
    start(m_bytes > StatisticsOptions::kSampleAbove, m_bytes <= kAutoReadLimit);
}

void FiguresSection::showGroup(const CheckpointPtr& checkpoint, const QString& name,
                               quint64 tensors, quint64 bytes) {
    clear();
    if (bytes == 0) {
        return;
    }
    begin(
        [checkpoint, group = name.toStdString()](bool sample, const CancelToken& cancel) {
            return readGroupFigures(checkpoint, group, sample, cancel);
        },
        bytes, name.isEmpty() ? tr("All weights") : tr("Statistics"));
    if (bytes <= kGroupAutoReadLimit && tensors <= kGroupAutoReadTensors) {
        start(false, true);
    } else {
        m_readAll->show();
    }
}

/// First a sample, then all elements, as requested.
void FiguresSection::start(bool sampleFirst, bool whole) {
    m_note->setText(tr("Reading…"));
    m_note->show();
    m_read.start(
        [this, read = m_reading, sampleFirst,
         whole](const CancelToken& cancel, const AsyncRunner::Post& post) -> Result<TensorFigures> {
            if (!sampleFirst) {
                return read(false, cancel);
            }
            CAIRN_TRY(auto sample, read(true, cancel));
            if (!whole) {
                return sample;
            }
            post([this, sample = std::move(sample)] { showFigures(sample); });
            return read(false, cancel);
        },
        [this](Result<TensorFigures> figures) {
            m_note->hide();
            if (!figures) {
                showFailure(figures.error());
            } else {
                showFigures(*figures);
                m_readAll->setVisible(figures->statistics.sampled);
            }
            Q_EMIT settled();
        });
}

void FiguresSection::showFailure(const Error& error) {
    const text::ErrorWords words = text::describe(error);
    m_note->setText(words.title + QLatin1Char('\n') + words.detail);
    m_note->show();
}

void FiguresSection::showFigures(const TensorFigures& figures) {
    m_caption->setText(QStringLiteral("%1 · %2").arg(m_what, reach(figures.statistics.sampled)));
    showNumbers(figures.statistics);
    showHistogram(figures.statistics);
    showMap(figures);
}

void FiguresSection::showNumbers(const TensorStatistics& statistics) {
    while (QLayoutItem* item = m_numbers->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    const auto pair = [](const QString& a, const QString& b) {
        return QStringLiteral("%1, %2").arg(a, b);
    };
    std::vector<std::pair<QString, QString>> rows;
    if (statistics.finite() > 0) {
        rows = {{tr("mean"), text::number(statistics.mean)},
                {tr("std"), text::number(statistics.std())},
                {tr("min, max"), pair(text::number(statistics.min), text::number(statistics.max))},
                {tr("L2 norm"), text::number(statistics.l2)}};
    }
    rows.emplace_back(tr("zeros"), text::count(statistics.zeros));
    rows.emplace_back(tr("NaN, Inf"),
                      pair(text::count(statistics.nan), text::count(statistics.inf)));
    int row = 0;
    for (const auto& [label, value] : rows) {
        const bool alarming =
            row + 1 == static_cast<int>(rows.size()) && statistics.nan + statistics.inf > 0;
        auto* head = new TextLabel(label, theme::Tone::Dim);
        auto* figure = new TextLabel(value, alarming ? theme::Tone::Broken : theme::Tone::Plain);
        figure->setFont(theme::mono(figure->font()));
        figure->setTextInteractionFlags(Qt::TextSelectableByMouse);
        figure->setAccessibleName(label);
        m_numbers->addWidget(head, row, 0);
        m_numbers->addWidget(figure, row, 1);
        ++row;
    }
    m_numbersBox->show();
}

void FiguresSection::showHistogram(const TensorStatistics& statistics) {
    // A lone outlier must not press everything else into one bar.
    const double wide = kDeviations * statistics.std();
    const double low = std::max(statistics.min, statistics.mean - wide);
    const double high = std::min(statistics.max, statistics.mean + wide);
    std::vector<double> bins;
    if (statistics.finite() > 1) {
        bins = statistics.histogram.linear({low, high}, {statistics.min, statistics.max}, kBars);
    }
    m_histogram->setVisible(!bins.empty());
    m_histogramCaption->setVisible(!bins.empty());
    if (bins.empty()) {
        return;
    }
    m_histogramCaption->setText(tr("Histogram"));
    if (low > statistics.min || high < statistics.max) {
        const double inside = std::accumulate(bins.begin(), bins.end(), 0.0);
        const auto all = static_cast<double>(statistics.finite());
        const double beyond = std::max(0.0001, (all - inside) / all); // there are some
        m_histogramCaption->setText(tr("Histogram · %1 % beyond %2 std")
                                        .arg(text::number(std::round(beyond * 10000) / 100))
                                        .arg(kDeviations));
    }
    m_histogram->show(std::move(bins), low, high);
}

void FiguresSection::showMap(const TensorFigures& figures) {
    m_map->setVisible(figures.map.has_value());
    m_mapCaption->setVisible(figures.map.has_value());
    if (!figures.map) {
        return;
    }
    m_mapCaption->setText(HeatMapView::caption(tr("Heat map"), *figures.map));
    m_map->show(*figures.map);
}

} // namespace cairn::ui

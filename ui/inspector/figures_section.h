// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/async_runner.h"
#include "ui/models/tensor_figures.h"

#include <QWidget>

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

class QGridLayout;

namespace cairn::ui {

class Button;
class HeatMapView;
class HistogramView;
class TextLabel;

/// The inspector's statistics of one tensor: a labelled sample at once, then all of it; very large
/// tensors are read completely only on request. Also the statistics of a group or a checkpoint, all
/// tensors together, which is read automatically only if it is small. GUI thread only; workers
/// read.
class FiguresSection : public QWidget {
    Q_OBJECT

public:
    explicit FiguresSection(QWidget* parent = nullptr);

    void showTensor(const CheckpointPtr& checkpoint, TensorIndex tensor);
    /// `name`: dotted, or empty for all weights. `bytes` of them, in at most `tensors` tensors.
    void showGroup(const CheckpointPtr& checkpoint, const QString& name, quint64 tensors,
                   quint64 bytes);
    void clear();

Q_SIGNALS:
    /// The shown figures are final: exact if they are read automatically, or the reason why that
    /// failed.
    void settled();

private:
    using Reading = std::function<Result<TensorFigures>(bool sample, const CancelToken& cancel)>;

    void begin(Reading reading, std::uint64_t bytes, const QString& what);
    void start(bool sampleFirst, bool whole);
    void showFigures(const TensorFigures& figures);
    void showNumbers(const TensorStatistics& statistics);
    void showHistogram(const TensorStatistics& statistics);
    void showMap(const TensorFigures& figures);
    void showFailure(const Error& error);

    AsyncRunner m_read{AsyncRunner::Pool::Long};
    Reading m_reading; ///< empty: nothing is shown
    std::uint64_t m_bytes = 0;
    QString m_what; ///< "Statistics", "Weights"
    TextLabel* m_caption;
    QWidget* m_numbersBox;
    QGridLayout* m_numbers;
    TextLabel* m_histogramCaption;
    HistogramView* m_histogram;
    TextLabel* m_mapCaption;
    HeatMapView* m_map;
    TextLabel* m_note;
    Button* m_readAll;
};

} // namespace cairn::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/jobs/timeline/weight_timeline.h"
#include "ui/bridge/async_runner.h"
#include "ui/pages/history/history_charts.h"

#include <QObject>

#include <optional>
#include <vector>

namespace cairn::ui {

/// Tensors, layers or all weights as curves over the checkpoints of a run. Measured on a worker,
/// one checkpoint after another; known results come from the user's cache. GUI thread only.
class WeightCurves : public QObject {
    Q_OBJECT

public:
    explicit WeightCurves(QObject* parent = nullptr) : QObject(parent) {}

    /// A different run drops the requested curves; new checkpoints of the same run are measured.
    void setRun(const RunPlace& place);
    /// A tensor; with `group` all tensors below the name; without a name all weights.
    void add(const QString& name, bool group);
    void clear();
    /// Drops the measurements that are still pending.
    void stop();
    bool isMeasuring() const { return m_measuring.isRunning(); }

    void setMeasures(std::vector<WeightMeasure> measures);
    const std::vector<WeightMeasure>& measures() const { return m_measures; }
    static QString measureTitle(WeightMeasure measure); ///< "L2 norm"

    /// Names of the charts: one for each measured item and measure.
    std::vector<QString> names() const;
    /// The chart of one of names() on an axis of the run; nothing for any other name.
    std::optional<ChartContent> content(const QString& name, std::shared_ptr<const RunAxis> axis,
                                        const std::filesystem::path& selected) const;

Q_SIGNALS:
    void changed(); ///< names() or contents
    void progressed(int done, int total);
    void failed(const cairn::Error& error);

private:
    struct Subject {
        QString name;
        bool group = false;
        std::optional<WeightTimeline> timeline; ///< nothing: still to be measured
    };

    static WeightRequest requestFor(const Subject& subject, bool change);
    QString chartName(const Subject& subject, WeightMeasure measure) const;
    bool wantsChange() const;
    void measure();
    void take(std::size_t subject, WeightTimeline timeline);

    RunPlace m_place;
    std::vector<Subject> m_subjects;
    std::vector<WeightMeasure> m_measures{WeightMeasure::L2, WeightMeasure::Std};
    bool m_hasChange = false; ///< the timelines were measured with it
    AsyncRunner m_measuring{AsyncRunner::Pool::Long};
};

} // namespace cairn::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/history/curve_values.h"

#include "core/runs/compare/compare.h"
#include "ui/text/plain_text.h"

#include <optional>
#include <vector>

namespace cairn::ui {
namespace {

constexpr std::size_t kMostValues = 200; ///< metrics

QString pointText(const CurvePoint& point) {
    return CurveValues::tr("%1 at %2", "a value and its step")
        .arg(text::number(point.value), text::number(point.x));
}

FactsPane::Group groupOf(const std::string& name, const MetricSeries& series) {
    const MetricSide side = compareCurves(series, series).left;
    FactsPane::Group group{text::fromCore(name), {}, true};
    if (side.last) {
        group.facts.emplace_back(CurveValues::tr("last"), pointText(*side.last));
    }
    if (side.best) {
        group.facts.emplace_back(CurveValues::tr("best"), pointText(*side.best));
    }
    group.facts.emplace_back(CurveValues::tr("points"), text::count(side.points));
    if (side.nonFinite > 0) {
        group.facts.emplace_back(CurveValues::tr("NaN or infinite"), text::count(side.nonFinite));
    }
    return group;
}

} // namespace

CurveValues::CurveValues(HistoryFollower& follower, QWidget* parent)
    : FactsPane(parent), m_follower(follower) {
    connect(&follower, &HistoryFollower::changed, this, &CurveValues::refresh);
    showHint(tr("The run has no curves."));
}

void CurveValues::showEvent(QShowEvent* event) {
    FactsPane::showEvent(event);
    refresh();
}

void CurveValues::refresh() {
    const HistoryPtr& history = m_follower.history();
    if (!isVisible() || history == m_history) {
        return;
    }
    m_history = history;
    m_reading.cancel();
    if (!history) {
        showHint(tr("The run has no curves."));
        return;
    }
    m_reading.start(
        [history](const CancelToken& cancel) -> Result<std::vector<Group>> {
            std::vector<Group> groups;
            for (const std::string& name : history->names()) {
                CAIRN_CHECK(cancel.check());
                const MetricSeries* series = history->primary(name);
                if (series != nullptr && groups.size() < kMostValues) {
                    groups.push_back(groupOf(name, *series));
                }
            }
            return groups;
        },
        [this](const Result<std::vector<Group>>& groups) {
            if (groups) {
                FactsPane::show(text::fromPath(m_follower.run().filename()), tr("curve values"),
                                *groups);
                Q_EMIT shown();
            }
        });
}

} // namespace cairn::ui

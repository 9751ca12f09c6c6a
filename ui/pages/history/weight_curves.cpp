// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/history/weight_curves.h"

#include "core/base/glob.h"
#include "ui/text/core_text.h"
#include "ui/text/plain_text.h"

#include <algorithm>

namespace cairn::ui {
namespace {

bool sameCheckpoints(const ScannedRun& a, const ScannedRun& b) {
    return std::ranges::equal(a.checkpoints, b.checkpoints, {}, &ScannedCheckpoint::path,
                              &ScannedCheckpoint::path);
}

} // namespace

QString WeightCurves::measureTitle(WeightMeasure measure) {
    switch (measure) {
    case WeightMeasure::Mean:
        return tr("mean");
    case WeightMeasure::Std:
        return tr("std");
    case WeightMeasure::L1:
        return tr("L1 norm");
    case WeightMeasure::L2:
        return tr("L2 norm");
    case WeightMeasure::AbsMax:
        return tr("largest magnitude");
    case WeightMeasure::Min:
        return tr("min");
    case WeightMeasure::Max:
        return tr("max");
    case WeightMeasure::Zeros:
        return tr("share of zeros");
    case WeightMeasure::NonFinite:
        return tr("share of NaN and Inf");
    case WeightMeasure::Change:
        return tr("change from previous checkpoint");
    }
    return {};
}

void WeightCurves::setRun(const RunPlace& place) {
    const bool other = place.path != m_place.path;
    const bool grown = !other && !sameCheckpoints(place.run, m_place.run);
    m_place = place;
    if (other) {
        clear();
    } else if (grown && !m_subjects.empty()) {
        for (Subject& subject : m_subjects) {
            subject.timeline.reset();
        }
        measure();
    }
}

void WeightCurves::add(const QString& name, bool group) {
    const bool known = std::ranges::any_of(
        m_subjects, [&](const Subject& s) { return s.name == name && s.group == group; });
    if (!known) {
        m_subjects.push_back({name, group, std::nullopt});
        measure();
    }
}

void WeightCurves::clear() {
    m_measuring.cancel();
    const bool any = !m_subjects.empty();
    m_subjects.clear();
    if (any) {
        Q_EMIT changed();
    }
}

void WeightCurves::stop() {
    m_measuring.cancel();
    std::erase_if(m_subjects, [](const Subject& subject) { return !subject.timeline; });
    Q_EMIT changed();
}

bool WeightCurves::wantsChange() const {
    return std::ranges::find(m_measures, WeightMeasure::Change) != m_measures.end();
}

void WeightCurves::setMeasures(std::vector<WeightMeasure> measures) {
    m_measures = std::move(measures);
    if (wantsChange() && !m_hasChange && !m_subjects.empty()) {
        for (Subject& subject : m_subjects) {
            subject.timeline.reset();
        }
        measure();
    }
    Q_EMIT changed();
}

WeightRequest WeightCurves::requestFor(const Subject& subject, bool change) {
    WeightRequest request;
    request.change = change;
    if (!subject.name.isEmpty()) {
        request.tensors = {Glob::quoted(subject.name.toStdString()) + (subject.group ? ".*" : "")};
    }
    return request;
}

void WeightCurves::measure() {
    std::vector<std::pair<std::size_t, WeightRequest>> requests;
    m_hasChange = wantsChange();
    for (std::size_t i = 0; i < m_subjects.size(); ++i) {
        if (!m_subjects[i].timeline) {
            requests.emplace_back(i, requestFor(m_subjects[i], m_hasChange));
        }
    }
    Q_EMIT progressed(0, static_cast<int>(m_place.run.checkpoints.size()));
    m_measuring.start(
        [this, requests = std::move(requests), run = m_place.run](
            const CancelToken& cancel, const AsyncRunner::Post& post) -> Result<bool> {
            for (const auto& [subject, request] : requests) {
                WeightTimelineOptions options;
                options.cancel = cancel;
                options.done = [&](const WeightStop&, std::size_t done, std::size_t total) {
                    post([this, done, total] {
                        Q_EMIT progressed(static_cast<int>(done), static_cast<int>(total));
                    });
                };
                CAIRN_TRY(WeightTimeline timeline,
                          weightTimeline(run, request, IndexCache::ofUser(), options));
                post([this, subject = subject, timeline = std::move(timeline)]() mutable {
                    take(subject, std::move(timeline));
                });
            }
            return true;
        },
        [this](Result<bool> done) {
            std::erase_if(m_subjects, [](const Subject& subject) { return !subject.timeline; });
            Q_EMIT changed();
            if (!done) {
                Q_EMIT failed(done.error());
            }
        });
}

void WeightCurves::take(std::size_t subject, WeightTimeline timeline) {
    m_subjects[subject].timeline = std::move(timeline);
    Q_EMIT changed();
}

QString WeightCurves::chartName(const Subject& subject, WeightMeasure measure) const {
    const QString name = subject.name.isEmpty() ? tr("all weights") : subject.name;
    return tr("%1 · %2").arg(name, measureTitle(measure));
}

std::vector<QString> WeightCurves::names() const {
    std::vector<QString> names;
    for (const Subject& subject : m_subjects) {
        for (const WeightMeasure measure : m_measures) {
            if (subject.timeline) {
                names.push_back(chartName(subject, measure));
            }
        }
    }
    return names;
}

std::optional<ChartContent> WeightCurves::content(const QString& name,
                                                  std::shared_ptr<const RunAxis> axis,
                                                  const std::filesystem::path& selected) const {
    for (const Subject& subject : m_subjects) {
        for (const WeightMeasure measure : m_measures) {
            if (!subject.timeline || chartName(subject, measure) != name) {
                continue;
            }
            auto history = std::make_shared<RunHistory>();
            history->series.push_back(subject.timeline->series(measure, name.toStdString()));
            ChartedRun run;
            run.history = history;
            run.setPlace(m_place);
            run.axis = std::move(axis);
            ChartContent content = chartContent({run}, name.toStdString(), selected);
            content.name = name;
            QStringList missing;
            for (const WeightStop& stop : subject.timeline->stops) {
                if (stop.error) {
                    missing << QStringLiteral("%1: %2").arg(text::fromCore(stop.name),
                                                            text::coreText(stop.error->message));
                }
            }
            if (!missing.isEmpty()) {
                content.note =
                    tr("%Ln checkpoints skipped", nullptr, static_cast<int>(missing.size()));
                content.noteFull = missing.join(QLatin1Char('\n'));
            }
            return content;
        }
    }
    return std::nullopt;
}

} // namespace cairn::ui

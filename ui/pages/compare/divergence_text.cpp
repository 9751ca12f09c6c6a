// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/compare/divergence_text.h"

#include "ui/charts/axis_ticks.h"
#include "ui/charts/chart_controls.h"
#include "ui/navigator/checkpoint_words.h"
#include "ui/text/plain_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace cairn::ui {
namespace {

constexpr std::size_t kMaxLayers = 3;

struct DivergenceWords {
    Q_DECLARE_TR_FUNCTIONS(cairn::ui::CompareSide)
};

/// The layers of a change above the tolerance, the most changed first.
QStringList layersBeyond(const WeightChange& change, double tolerance) {
    std::vector<const LayerChange*> beyond;
    for (const LayerChange& layer : change.layers) {
        if (layer.sums.relativeChange() > tolerance) {
            beyond.push_back(&layer);
        }
    }
    std::ranges::stable_sort(beyond, [](const LayerChange* a, const LayerChange* b) {
        return a->sums.relativeChange() > b->sums.relativeChange();
    });
    QStringList names;
    for (std::size_t i = 0; i < std::min(beyond.size(), kMaxLayers); ++i) {
        names << text::fromCore(beyond[i]->layer);
    }
    if (beyond.size() > kMaxLayers) {
        names << DivergenceWords::tr("%Ln more", nullptr,
                                     static_cast<int>(beyond.size() - kMaxLayers));
    }
    return names;
}

} // namespace

QString describeCurveDivergence(const MetricComparison& metric, const AxisChoice& axis,
                                double tolerance) {
    const AxisUnit unit = axisUnit(axis);
    const QString word = ChartControls::axisWord(axis);
    const auto at = [&](double x) { return word + QLatin1Char(' ') + axisValue(x, unit); };
    const QString name = text::fromCore(shownName(metric));
    if (metric.common == 0) {
        return DivergenceWords::tr("The curves of %1 have no %2 in common.").arg(name, word);
    }
    QStringList sentences;
    if (!metric.firstUnequal) {
        sentences << DivergenceWords::tr("The curves of %1 are equal at all %Ln common points.",
                                         nullptr, static_cast<int>(metric.common))
                         .arg(name);
    } else if (metric.lastEqual) {
        sentences << DivergenceWords::tr("The curves of %1 are equal up to %2.")
                         .arg(name, at(*metric.lastEqual));
    } else {
        sentences << DivergenceWords::tr("The curves of %1 differ from the first common point, %2.")
                         .arg(name, at(*metric.firstUnequal));
    }
    if (metric.firstUnequal && metric.parting) {
        sentences << DivergenceWords::tr("They diverge by more than %1 % from %2.")
                         .arg(text::number(tolerance * 100), at(*metric.parting));
    } else if (metric.firstUnequal) {
        sentences << DivergenceWords::tr("They never diverge by more than %1 %.")
                         .arg(text::number(tolerance * 100));
    }
    if (metric.meanDifference) {
        sentences << DivergenceWords::tr("On average B − A is %1.")
                         .arg(text::number(*metric.meanDifference));
    }
    return sentences.join(QLatin1Char(' '));
}

QString describeWeightDivergence(const RunComparison& comparison, const WeightDistance& distance,
                                 double tolerance) {
    const auto place = [&](const WeightPair& pair) {
        const CheckpointPair& both = comparison.checkpoints[pair.pair];
        return words::position(both.step, both.epoch);
    };
    const WeightPair* lastEqual = nullptr;
    const WeightPair* firstOther = nullptr;
    std::size_t known = 0;
    QStringList layers;
    for (const WeightPair& pair : distance.pairs()) {
        const WeightChange* change = distance.change(pair.pair);
        if (change == nullptr || !change->known()) {
            continue;
        }
        ++known;
        if (change->equal()) {
            lastEqual = firstOther == nullptr ? &pair : lastEqual;
        } else {
            firstOther = firstOther == nullptr ? &pair : firstOther;
            layers = layers.isEmpty() ? layersBeyond(*change, tolerance) : layers;
        }
    }
    if (known == 0) {
        return {};
    }
    QStringList sentences;
    if (firstOther == nullptr) {
        sentences << DivergenceWords::tr("The weights are equal at all %Ln checkpoint pairs.",
                                         nullptr, static_cast<int>(known));
    } else if (lastEqual != nullptr) {
        sentences << DivergenceWords::tr("The weights are equal up to %1.").arg(place(*lastEqual));
    } else {
        sentences << DivergenceWords::tr("The weights differ from the first checkpoint pair, %1.")
                         .arg(place(*firstOther));
    }
    if (!layers.isEmpty()) {
        sentences << DivergenceWords::tr("First layers to differ by more than %1 %: %2.")
                         .arg(text::number(tolerance * 100), layers.join(QStringLiteral(", ")));
    }
    return sentences.join(QLatin1Char(' '));
}

} // namespace cairn::ui

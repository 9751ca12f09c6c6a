// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/compare/summary_sentence.h"

#include "ui/charts/curve_chart.h"
#include "ui/text/plain_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace cairn::ui {
namespace {

struct SummaryWords {
    Q_DECLARE_TR_FUNCTIONS(cairn::ui::ComparePage)
};

QString figures(const ComparisonSummary& summary) {
    const QString text = SummaryWords::tr("%1 %2 against %3")
                             .arg(text::fromCore(summary.metric), text::number(summary.right),
                                  text::number(summary.left));
    const QString change = differenceText(summary.left, summary.right);
    return summary.change && *summary.change != 0 && !change.isEmpty()
               ? text + QStringLiteral(" (%1)").arg(change)
               : text;
}

QString verdict(const ComparisonSummary& summary) {
    switch (summary.verdict) {
    case Verdict::Better:
        return SummaryWords::tr("B is better: %1.").arg(figures(summary));
    case Verdict::Worse:
        return SummaryWords::tr("B is worse: %1.").arg(figures(summary));
    case Verdict::Equal:
        return SummaryWords::tr("A and B are equal: %1 %2.")
            .arg(text::fromCore(summary.metric), text::number(summary.left));
    case Verdict::Unknown:
        break;
    }
    return summary.metric.empty()
               ? SummaryWords::tr("A and B have no metric in common.")
               : SummaryWords::tr("B compared with A: %1.").arg(figures(summary));
}

QString lastPartOf(const std::string& key) {
    const std::size_t dot = key.rfind('.');
    return text::fromCore(dot == std::string::npos || dot + 1 == key.size() ? key
                                                                            : key.substr(dot + 1));
}

QString withoutDifferences(const ComparisonSummary& summary) {
    const QString all = text::count(summary.settingsRead);
    const std::size_t only = summary.onlyLeft + summary.onlyRight;
    return summary.settingsRead == 0 ? SummaryWords::tr("Neither run recorded its settings.")
           : only > 0 ? SummaryWords::tr("Settings of one run only: %1.").arg(text::count(only))
           : summary.names > 0
               ? SummaryWords::tr("Only names and paths differ (%1 settings compared).").arg(all)
               : SummaryWords::tr("No setting differs (%1 compared).").arg(all);
}

QString differences(const ComparisonSummary& summary) {
    QStringList parts;
    for (const SettingDifference& each : summary.settings) {
        const QString last = lastPartOf(each.key);
        const auto same = std::ranges::count_if(
            summary.settings, [&](const auto& other) { return lastPartOf(other.key) == last; });
        parts << QStringLiteral("%1 %2 → %3")
                     .arg(same == 1 ? last : text::fromCore(each.key),
                          text::fromCore(settingText(each.left)),
                          text::fromCore(settingText(each.right)));
    }
    if (parts.isEmpty()) {
        return withoutDifferences(summary);
    }
    if (summary.moreSettings > 0) {
        parts << SummaryWords::tr("%Ln more", nullptr, static_cast<int>(summary.moreSettings));
    }
    return SummaryWords::tr("Differs: %1.").arg(parts.join(QStringLiteral(", ")));
}

} // namespace

QString summarySentence(const ComparisonSummary& summary) {
    const QString rest = differences(summary);
    return rest.isEmpty() ? verdict(summary) : verdict(summary) + QLatin1Char(' ') + rest;
}

} // namespace cairn::ui

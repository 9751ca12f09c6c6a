// SPDX-License-Identifier: GPL-3.0-or-later
// The page Runs over a restart: columns, order, groups and chart options.
#include "ui/charts/chart_controls.h"
#include "ui/pages/runs/relation_cards.h"
#include "ui/pages/runs/run_columns.h"
#include "ui/pages/runs/runs_footer.h"
#include "ui/pages/runs/runs_page.h"

#include <QJsonArray>
#include <QVariant>

namespace cairn::ui {
namespace {

constexpr int kMostWidth = 4000; ///< px of a column
const QString kShownKey = QStringLiteral("shownColumns");
const QString kHiddenKey = QStringLiteral("hiddenColumns");
const QString kGroupKey = QStringLiteral("groupBy");
const QString kWidthsKey = QStringLiteral("widths");
const QString kSortKey = QStringLiteral("sortBy");
const QString kDescendingKey = QStringLiteral("descending");
const QString kNotesKey = QStringLiteral("notes");
const QString kRelationKey = QStringLiteral("relation");
const QString kChartsKey = QStringLiteral("charts");

QJsonArray toJson(const std::vector<std::string>& keys) {
    return QJsonArray::fromStringList(toStrings(keys));
}

std::vector<std::string> fromJson(const QJsonValue& strings) {
    return fromStrings(QVariant(strings.toArray().toVariantList()).toStringList());
}

} // namespace

void RunsPage::setNote(const std::filesystem::path& run, const QString& note) {
    auto notes = std::make_shared<RunNotes>(*m_query.notes);
    if (notes->set(run, note)) {
        m_query.notes = std::move(notes);
        stateChanged();
        m_noted.start();
    }
}

QJsonObject RunsPage::keptState() const {
    QJsonObject widths;
    for (const auto& [key, width] : m_widths) {
        widths.insert(QString::fromStdString(key), width);
    }
    QJsonObject state{{kShownKey, toJson(m_query.columns.shown)},
                      {kHiddenKey, toJson(m_query.columns.hidden)},
                      {kGroupKey, toJson(m_query.groupBy)},
                      {kWidthsKey, widths},
                      {kNotesKey, m_query.notes->toJson()},
                      {kRelationKey, m_footer->relation()->keptState()},
                      {kChartsKey, m_controls->keptState()}};
    if (m_query.sorted) {
        state.insert(kSortKey, QString::fromStdString(m_query.sortKey));
        state.insert(kDescendingKey, m_query.descending);
    }
    return state;
}

void RunsPage::restoreState(const QJsonObject& state) {
    m_query.columns.shown = fromJson(state.value(kShownKey));
    m_query.columns.hidden = fromJson(state.value(kHiddenKey));
    m_query.groupBy = fromJson(state.value(kGroupKey));
    const QJsonObject widths = state.value(kWidthsKey).toObject();
    for (const QString& key : widths.keys()) {
        if (const int width = widths.value(key).toInt(); width > 0 && width < kMostWidth) {
            m_widths[key.toStdString()] = width;
        }
    }
    if (state.contains(kSortKey)) {
        m_query.sorted = true;
        m_query.sortKey = state.value(kSortKey).toString().toStdString();
        m_query.descending = state.value(kDescendingKey).toBool();
    }
    m_query.notes =
        std::make_shared<const RunNotes>(RunNotes::fromJson(state.value(kNotesKey).toObject()));
    m_footer->relation()->restoreState(state.value(kRelationKey).toObject());
    m_controls->restoreState(state.value(kChartsKey).toObject());
    arrange();
}

} // namespace cairn::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/runs_state.h"

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
const QString kColourKey = QStringLiteral("colourBy");
const QString kNotesKey = QStringLiteral("notes");

QJsonArray toJson(const std::vector<std::string>& keys) {
    return QJsonArray::fromStringList(toStrings(keys));
}

std::vector<std::string> fromJson(const QJsonValue& strings) {
    return fromStrings(QVariant(strings.toArray().toVariantList()).toStringList());
}

} // namespace

QJsonObject queryState(const RunsQuery& query, const std::map<std::string, int>& widths) {
    QJsonObject pixels;
    for (const auto& [key, width] : widths) {
        pixels.insert(QString::fromStdString(key), width);
    }
    QJsonObject state{{kShownKey, toJson(query.columns.shown)},
                      {kHiddenKey, toJson(query.columns.hidden)},
                      {kGroupKey, toJson(query.groupBy)},
                      {kWidthsKey, pixels},
                      {kColourKey, QString::fromStdString(query.colourBy)},
                      {kNotesKey, query.notes->toJson()}};
    if (query.sorted) {
        state.insert(kSortKey, QString::fromStdString(query.sortKey));
        state.insert(kDescendingKey, query.descending);
    }
    return state;
}

void restoreQuery(const QJsonObject& state, RunsQuery& query) {
    query.columns.shown = fromJson(state.value(kShownKey));
    query.columns.hidden = fromJson(state.value(kHiddenKey));
    query.groupBy = fromJson(state.value(kGroupKey));
    query.colourBy = state.value(kColourKey).toString().toStdString();
    if (state.contains(kSortKey)) {
        query.sorted = true;
        query.sortKey = state.value(kSortKey).toString().toStdString();
        query.descending = state.value(kDescendingKey).toBool();
    }
    query.notes =
        std::make_shared<const RunNotes>(RunNotes::fromJson(state.value(kNotesKey).toObject()));
}

std::map<std::string, int> restoredWidths(const QJsonObject& state) {
    std::map<std::string, int> restored;
    const QJsonObject widths = state.value(kWidthsKey).toObject();
    for (const QString& key : widths.keys()) {
        if (const int width = widths.value(key).toInt(); width > 0 && width < kMostWidth) {
            restored[key.toStdString()] = width;
        }
    }
    return restored;
}

} // namespace cairn::ui

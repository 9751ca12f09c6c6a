// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/async_runner.h"
#include "ui/pages/diff/diff_document.h"

#include <QWidget>

#include <cstdint>
#include <vector>

class QGridLayout;

namespace cairn::ui {

class Button;
class HeatMapView;
class TextLabel;

/// One changed element of a pair.
struct ChangedElement {
    std::uint64_t position = 0; ///< in C order
    QString where;              ///< "[3, 17]"
    QString left;
    QString right;
};

/// The next changed elements from `from` on, at most `limit`. In a worker. Fails as
/// changedPositions().
Result<std::vector<ChangedElement>> readChanged(const DiffDocumentPtr& document, std::size_t pair,
                                                std::uint64_t from, std::size_t limit,
                                                const CancelToken& cancel);

/// The right column of the Diff page: all measures of the chosen pair, a map of where it changed,
/// and its changed elements, a few at a time, from the block of the map that was clicked.
class PairDetails : public QWidget {
    Q_OBJECT

public:
    explicit PairDetails(QWidget* parent = nullptr);
    void showPair(const DiffDocumentPtr& document, std::size_t pair);
    void clear(const QString& hint);

Q_SIGNALS:
    void elementsShown(); ///< or the reason why not; for tests
    void mapShown();      ///< likewise

private:
    void setRows(QGridLayout& grid, const std::vector<QStringList>& rows);
    void showMeasures(const PairDiff& values);
    void readMap();
    void readElements();
    void showElements(const std::vector<ChangedElement>& elements);

    DiffDocumentPtr m_document;
    std::size_t m_pair = 0;
    std::uint64_t m_from = 0;
    AsyncRunner m_mapping;
    AsyncRunner m_reading;
    TextLabel* m_title;
    TextLabel* m_path;
    QWidget* m_measuresBox;
    QGridLayout* m_measures;
    TextLabel* m_mapCaption;
    HeatMapView* m_map;
    TextLabel* m_elementsCaption;
    QWidget* m_elementsBox;
    QGridLayout* m_elements;
    TextLabel* m_note;
    Button* m_more;
};

} // namespace cairn::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/diff/diff_tables.h"

#include "ui/models/row_delegate.h"
#include "ui/models/row_roles.h"
#include "ui/models/row_view.h"
#include "ui/pages/diff/difference_map.h"
#include "ui/pages/diff/plain_values_model.h"
#include "ui/pages/notice_pane.h"
#include "ui/text/plain_text.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QScopedValueRollback>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <memory>

namespace cairn::ui {
namespace {

constexpr int kRoomyRows = 24;
constexpr int kMostWidth = 4000;    ///< px of a column
constexpr int kSideCharacters = 30; ///< that A and B take at most unless resized

} // namespace

DiffTables::DiffTables(QWidget* parent)
    : Card(QString(), parent), m_model(new DiffModel(this)), m_plain(new PlainValuesModel(this)),
      m_stack(new QStackedWidget), m_tensors(new QWidget), m_tree(new RowView),
      m_map(new DifferenceMap), m_values(new RowView), m_nothing(new NoticePane) {
    layout()->setContentsMargins(1, 1, 1, 1);
    content()->addWidget(m_stack, 1);
    m_tree->setModel(m_model);
    m_tree->setAccessibleName(tr("Tensors of both checkpoints"));
    arrangeColumns();
    connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& current) {
                const DiffNode* node = m_model->nodeAt(current);
                m_map->setCurrentNode(m_model->numberOf(current));
                Q_EMIT pairSelected(node != nullptr ? node->pair : std::nullopt);
            });
    m_tree->setSortable(true);
    connect(m_tree, &RowView::sortRequested, this, [this](int column, Qt::SortOrder order) {
        Q_EMIT sortRequested({column, order == Qt::DescendingOrder});
    });
    m_tree->setCopySource([this]() -> RowView::ModelMaker {
        return [rows = m_model->rows()] {
            auto model = std::make_unique<DiffModel>();
            model->show(rows);
            return model;
        };
    });
    m_values->setModel(m_plain);
    m_values->setSortable(true);
    connect(m_values, &RowView::sortRequested, this, [this](int column, Qt::SortOrder order) {
        sortValues({column, order == Qt::DescendingOrder});
    });
    m_values->setCopySource([this] { return m_plain->maker(); });
    m_values->setAccessibleName(tr("Plain values that differ"));
    m_values->setRootIsDecorated(false);
    m_values->header()->setSectionResizeMode(QHeaderView::Stretch);
    connect(m_nothing, &NoticePane::actionChosen, this, &DiffTables::clearFilterRequested);
    auto* row = new QHBoxLayout(m_tensors);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(m_tree, 1);
    row->addWidget(m_map);
    connect(m_map, &DifferenceMap::tensorChosen, this, &DiffTables::goToNode);
    m_stack->addWidget(m_tensors);
    m_stack->addWidget(m_values);
    m_stack->addWidget(m_nothing);
}

void DiffTables::arrangeColumns() {
    QHeaderView* header = m_tree->header();
    const auto width = [this](const QString& widest) {
        return m_tree->fontMetrics().horizontalAdvance(widest) + 2 * RowDelegate::kPadding + 4;
    };
    fit(DiffModel::Left, width(QStringLiteral("bfloat16 · 4096 × 4096")));
    fit(DiffModel::Right, width(QStringLiteral("bfloat16 · 4096 × 4096")));
    fit(DiffModel::Relative, width(DiffModel::tr("Relative change")));
    fit(DiffModel::MaxAbs, width(QStringLiteral("1.234e-05")));
    fit(DiffModel::Changed,
        width(DiffModel::tr("%1 of %2").arg(text::count(1234), text::count(1234))));
    header->setStretchLastSection(false);
    m_tree->setNameColumn(DiffModel::Name);
    connect(header, &QHeaderView::sectionResized, this, [this](int column, int, int chosen) {
        if (!m_fitting && chosen > 0 && column != DiffModel::Name) {
            m_widths[column] = chosen;
            Q_EMIT widthsChosen();
        }
    });
}

void DiffTables::fit(int column, int width) {
    const QScopedValueRollback fitting(m_fitting, true);
    const auto chosen = m_widths.find(column);
    m_tree->header()->resizeSection(column, chosen != m_widths.end() ? chosen->second : width);
}

QJsonObject DiffTables::chosenWidths() const {
    QJsonObject widths;
    for (const auto& [column, width] : m_widths) {
        widths.insert(QString::number(column), width);
    }
    return widths;
}

void DiffTables::chooseWidths(const QJsonObject& widths) {
    for (const QString& column : widths.keys()) {
        const int width = widths.value(column).toInt();
        const bool known = column.toInt() >= 0 && column.toInt() < m_model->columnCount({});
        if (known && width > 0 && width < kMostWidth) {
            m_widths[column.toInt()] = width;
            fit(column.toInt(), width);
        }
    }
}

void DiffTables::clear() {
    m_sorting.cancel();
    m_model->show(nullptr);
    m_map->show(nullptr);
    m_plain->show(nullptr);
}

void DiffTables::showPlainValues(const DiffDocumentPtr& document) {
    m_plain->show(document);
    sortValues(m_valuesSort);
    m_noValues = document->plainProblem.isEmpty() ? tr("All plain values are the same.")
                                                  : document->plainProblem;
}

void DiffTables::showRows(DiffRowsPtr rows, const QString& filter) {
    const QString current =
        m_tree->currentIndex().siblingAtColumn(0).data(RowRoles::FullName).toString();
    const bool bits = rows->equality.kind == Equality::Kind::Bits;
    m_canClear = !filter.isEmpty();
    m_noTensors = m_canClear ? tr("No tensor that differs matches “%1”.").arg(filter)
                  : bits     ? tr("Every tensor is identical, bit for bit.")
                             : tr("Every tensor is equal under the selected criterion.");
    const bool changed = m_model->rows() == nullptr || m_model->rows()->document != rows->document;
    m_model->show(rows);
    m_map->show(std::move(rows));
    expandToFit();
    if (changed) {
        fitSides();
    }
    choose(m_table);
    if (!current.isEmpty()) {
        goTo(current);
    }
}

/// Only for another document, and columns whose width the user did not choose.
void DiffTables::fitSides() {
    const int most = m_tree->fontMetrics().averageCharWidth() * kSideCharacters;
    for (const int side : {DiffModel::Left, DiffModel::Right}) {
        {
            const QScopedValueRollback fitting(m_fitting, true);
            m_tree->resizeColumnToContents(side);
        }
        fit(side, std::min(m_tree->header()->sectionSize(side), most));
    }
}

void DiffTables::expandToFit() {
    int open = m_model->rowCount();
    QModelIndexList wanted;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        wanted << m_model->index(row, 0);
    }
    while (!wanted.isEmpty()) {
        const QModelIndex index = wanted.takeFirst();
        const int children = m_model->rowCount(index);
        if (children == 0 || open + children > kRoomyRows) {
            continue;
        }
        m_tree->setExpanded(index, true);
        open += children;
        for (int row = 0; row < children; ++row) {
            wanted << m_model->index(row, 0, index);
        }
    }
}

void DiffTables::sortValues(RowSort sort) {
    m_valuesSort = sort;
    if (sort.column < 0) {
        m_sorting.cancel();
        m_plain->setOrder({});
        return;
    }
    m_sorting.start([make = m_plain->storedMaker(),
                     sort](const CancelToken& cancel) { return sortedRows(*make(), sort, cancel); },
                    [this](Result<std::vector<std::uint32_t>> order) {
                        if (order) {
                            m_plain->setOrder(std::move(*order));
                        }
                    });
}

void DiffTables::choose(Table table) {
    m_table = table;
    QWidget* list = table == Tensors ? m_tensors : m_values;
    const bool any = table == Tensors ? m_model->rowCount() > 0 : m_plain->rowCount() > 0;
    m_nothing->showMessage(table == Tensors ? m_noTensors : m_noValues, QString(),
                           table == Tensors && m_canClear ? tr("Clear Filter") : QString());
    m_stack->setCurrentWidget(any ? list : m_nothing);
}

void DiffTables::goTo(const QString& name) {
    QModelIndex found;
    for (const QString& part : name.split(QLatin1Char('.'))) {
        QModelIndex next;
        for (int row = 0; row < m_model->rowCount(found) && !next.isValid(); ++row) {
            const QModelIndex child = m_model->index(row, 0, found);
            if (child.data().toString() == part) {
                next = child;
            }
        }
        if (!next.isValid()) {
            break;
        }
        found = next;
    }
    if (found.isValid()) {
        m_tree->setCurrentIndex(found);
        m_tree->scrollTo(found);
        m_tree->expand(found);
    }
}

void DiffTables::goToNode(std::uint32_t node) {
    const QModelIndex index = m_model->indexOf(node);
    if (index.isValid()) {
        m_tree->setCurrentIndex(index);
        m_tree->scrollTo(index, QAbstractItemView::PositionAtCenter);
    }
}

void DiffTables::goToDifference(bool forward) {
    const QModelIndex next = m_model->nextDifference(m_tree->currentIndex(), forward);
    if (next.isValid()) {
        m_tree->setCurrentIndex(next);
        m_tree->scrollTo(next);
    }
}

bool DiffTables::copyRows() {
    return m_stack->currentWidget() == m_values ? m_values->copyRows() : m_tree->copyRows();
}

} // namespace cairn::ui

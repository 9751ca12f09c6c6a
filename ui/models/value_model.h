// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/value_search.h"
#include "ui/models/value_sort.h"
#include "ui/models/value_words.h"

#include <QAbstractItemModel>

#include <deque>
#include <memory>
#include <optional>

namespace cairn::ui {

/// The plain values of a checkpoint as a tree. Rows are created when a view requests them, so that
/// a value that refers to one node a thousand times costs only what is expanded; long containers
/// show ranges of 1,000 items each. In a dictionary or object tensors come after everything else,
/// and more than kLooseTensors among other values at the top level become one row. GUI thread only;
/// the value tree is in memory already.
class ValueModel : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Column { Key, Content, Type, kColumns };
    static constexpr std::size_t kRangeItems = 1000;
    static constexpr std::size_t kLooseTensors = 3;

    explicit ValueModel(QObject* parent = nullptr);

    /// `checkpoint` resolves tensor references; may be null.
    void show(CheckpointPtr checkpoint, Value root);
    /// Shows only the results of a search in the shown root; null: everything again.
    void showMatches(const ValueMatchesPtr& matches);

    /// Shows the items of the shown root in these orders; null: natural order. What is expanded
    /// stays so, but for ranges of long containers.
    void setOrders(ValueOrdersPtr orders);

    /// The row of ValueMatches::entries[number - 1] while only search results are shown.
    QModelIndex indexOfMatch(std::uint32_t number) const;

    /// The row that groups the top-level tensors.
    bool isTensorFold(const QModelIndex& index) const;
    std::optional<TensorIndex> tensorAt(const QModelIndex& index) const;
    QString
    pathAt(const QModelIndex& index) const; ///< dotted, like names of tensors: "args.betas.0"
    QString pythonAt(const QModelIndex& index) const; ///< subscripts, or empty
    QString fullValueAt(const QModelIndex& index) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    bool hasChildren(const QModelIndex& parent = {}) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    static constexpr std::uint32_t kNone = 0xffffffffU;

    /// Positions of a container's items as they are shown; null: as they are stored.
    using Order = std::shared_ptr<const std::vector<std::uint32_t>>;

    /// A value, or the range [begin, end) of a long container's items as shown (then `container` is
    /// that container).
    struct Node {
        std::uint32_t parent = kNone;
        std::uint32_t row = 0;
        const Value* container = nullptr; ///< the container of this item; null for the root
        std::size_t position = 0;
        const Value* value = nullptr; ///< null: a range
        std::size_t begin = 0;
        std::size_t end = 0;
        Order order;           ///< of the items; set before the first child is made
        bool folds = false;    ///< the items from `end` on are tensors and one more row
        bool narrowed = false; ///< children are exactly those listed
        bool matches = false;
        std::vector<std::uint32_t> children; ///< by row; kNone until requested
    };

    void restart();
    Order orderOf(const Value& container) const;
    void placeChildren(Node& node);
    const Node* nodeAt(const QModelIndex& index) const;
    std::uint32_t nodeNumber(const QModelIndex& index) const;
    bool isTensorFold(const Node& node) const;
    std::size_t childCount(const Node& node) const;
    std::uint32_t child(std::uint32_t parent, std::size_t row) const;
    std::vector<words::ValueStep> stepsTo(const Node& node) const;
    QString display(const Node& node, int column) const;

    CheckpointPtr m_checkpoint;
    Value m_root;
    ValueOrdersPtr m_orders;          ///< null: natural order
    mutable std::deque<Node> m_nodes; ///< [0] is the root
};

} // namespace cairn::ui

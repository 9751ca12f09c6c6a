// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/diff/plain_values_model.h"

#include "ui/models/row_roles.h"
#include "ui/models/value_words.h"
#include "ui/text/plain_text.h"

namespace cairn::ui {

void PlainValuesModel::show(DiffDocumentPtr document) {
    beginResetModel();
    m_document = std::move(document);
    forgetOrder();
    endResetModel();
}

std::function<std::unique_ptr<QAbstractItemModel>()> PlainValuesModel::storedMaker() const {
    return [document = m_document] {
        auto model = std::make_unique<PlainValuesModel>();
        model->show(document);
        return model;
    };
}

std::function<std::unique_ptr<QAbstractItemModel>()> PlainValuesModel::maker() const {
    return [document = m_document, order = order()] {
        auto model = std::make_unique<PlainValuesModel>();
        model->show(document);
        model->setOrder(order);
        return model;
    };
}

int PlainValuesModel::rowCount(const QModelIndex& parent) const {
    if (!m_document || parent.isValid()) {
        return 0;
    }
    const PlainValuesDiff& plain = m_document->plain;
    return static_cast<int>(plain.changed.size() + plain.onlyLeft.size() + plain.onlyRight.size());
}

int PlainValuesModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : 3;
}

QVariant PlainValuesModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() ||
        (role != Qt::DisplayRole && role != Qt::ToolTipRole && role != RowRoles::SortValue)) {
        return {};
    }
    const PlainValuesDiff& plain = m_document->plain;
    std::size_t row = storedRow(index.row());
    const ValueChange* change = nullptr;
    bool left = true;
    bool right = true;
    if (row < plain.changed.size()) {
        change = &plain.changed[row];
    } else if (row -= plain.changed.size(); row < plain.onlyLeft.size()) {
        change = &plain.onlyLeft[row];
        right = false;
    } else {
        change = &plain.onlyRight[row - plain.onlyLeft.size()];
        left = false;
    }
    QString words = text::fromCore(change->key);
    if (index.column() > 0) {
        const bool isLeft = index.column() == 1;
        const Value& value = isLeft ? change->left : change->right;
        const Checkpoint* checkpoint =
            (isLeft ? m_document->left : m_document->right).checkpoint.get();
        const bool there = isLeft ? left : right;
        if (role == RowRoles::SortValue) {
            const std::optional<double> number = there ? words::number(value) : std::nullopt;
            return !there   ? QVariant()
                   : number ? QVariant(*number)
                            : QVariant(words::value(value, checkpoint));
        }
        words = !there                    ? QStringLiteral("–")
                : role == Qt::ToolTipRole ? words::fullValue(value, checkpoint)
                                          : words::value(value, checkpoint);
    }
    return role == Qt::ToolTipRole ? text::toolTip(words) : words;
}

QVariant PlainValuesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    return section == 0 ? tr("Key") : section == 1 ? tr("A") : tr("B");
}

} // namespace cairn::ui

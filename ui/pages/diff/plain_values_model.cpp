// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/diff/plain_values_model.h"

#include "ui/models/value_words.h"
#include "ui/text/plain_text.h"

namespace cairn::ui {

void PlainValuesModel::show(DiffDocumentPtr document) {
    beginResetModel();
    m_document = std::move(document);
    endResetModel();
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
    if (!index.isValid() || (role != Qt::DisplayRole && role != Qt::ToolTipRole)) {
        return {};
    }
    const PlainValuesDiff& plain = m_document->plain;
    auto row = static_cast<std::size_t>(index.row());
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

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/header_edit/header_draft.h"

#include <QAbstractTableModel>

#include <optional>

namespace cairn::ui {

/// The texts of a file's `__metadata__` while they are edited: key and value, changed ones bold,
/// removed ones dim. Existing entries keep their key; the key of new ones can be edited.
class MetadataEditModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Key, Value, kColumns };

    using QAbstractTableModel::QAbstractTableModel;

    using Entries = std::vector<std::pair<std::string, std::string>>;
    /// Shows the entries of the file; previous edits are dropped.
    void load(const Entries& entries);

    /// Adds an entry without a key at the end; returns its row.
    int add();
    /// Removes a new entry; marks one of the file for removal, or unmarks it.
    void toggleRemoved(int row);
    bool isRemoved(int row) const;

    /// The changes. New entries without a key are ignored.
    Entries set() const;
    std::vector<std::string> unset() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

Q_SIGNALS:
    void edited(); ///< by the user

private:
    struct Row {
        std::string key;
        std::string value;
        std::optional<std::string> before; ///< nothing: a new one
        bool removed = false;
    };
    static bool changed(const Row& row);

    std::vector<Row> m_rows;
};

} // namespace cairn::ui

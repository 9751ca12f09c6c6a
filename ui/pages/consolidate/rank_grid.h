// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/output_layout.h"

#include <QWidget>

#include <vector>

class QSpinBox;

namespace cairn::ui {

/// "4 along dimension 0 × 2 along dimension 1": the ranks over which tensors are cut. An axis of
/// one rank does not cut.
class RankGrid : public QWidget {
    Q_OBJECT

public:
    explicit RankGrid(QWidget* parent = nullptr);

    std::vector<ShardAxis> axes() const;
    /// Emits nothing. Leaves the fields alone if they mean the same.
    void setAxes(const std::vector<ShardAxis>& axes);

Q_SIGNALS:
    void changed();

private:
    QSpinBox* number(const QString& name, int least, int most);

    QSpinBox* m_rows;
    QSpinBox* m_rowsDim;
    QSpinBox* m_columns;
    QSpinBox* m_columnsDim;
};

} // namespace cairn::ui

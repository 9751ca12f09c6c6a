// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/checkpoint.h"
#include "ui/widgets/painted_items.h"

#include <vector>

namespace cairn::ui {

/// The pieces of one tensor side by side, with widths proportional to their numbers of elements,
/// named by rank or number; pieces in missing files are empty dashed boxes.
class ShardStrip : public ItemsWidget {
    Q_OBJECT

public:
    explicit ShardStrip(QWidget* parent = nullptr);
    void show(const Checkpoint& checkpoint, const TensorEntry& tensor);
    QSize sizeHint() const override { return {200, 26}; }
    int itemCount() override { return static_cast<int>(m_parts.size()); }
    QString itemText(int item) override;
    QRectF itemRect(int item) override { return rectOf(static_cast<std::size_t>(item)); }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Part {
        QString label;
        QString whole; ///< file and box, for the tooltip
        double share = 0;
        bool missing = false;
    };
    QRectF rectOf(std::size_t part) const;

    std::vector<Part> m_parts;
    std::vector<double> m_starts; ///< sums of the shares before each part
};

} // namespace cairn::ui

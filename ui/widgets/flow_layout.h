// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLayout>
#include <QLayoutItem>

#include <memory>
#include <vector>

namespace cairn::ui {

/// Widgets side by side in their preferred sizes, wrapped at the end of a row; a widget wider than
/// the row is reduced down to its minimum width. Follows the direction of the language. Source: the
/// idea of Qt's own "Flow Layout" example.
class FlowLayout : public QLayout {
public:
    explicit FlowLayout(int spacing, QWidget* parent = nullptr);
    ~FlowLayout() override;

    void addItem(QLayoutItem* item) override;
    int count() const override { return static_cast<int>(m_items.size()); }
    QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override; ///< all in one row
    QSize minimumSize() const override;
    void setGeometry(const QRect& area) override;

private:
    /// Returns the height; moves the widgets only if `place`.
    int arrange(const QRect& area, bool place) const;
    std::vector<std::unique_ptr<QLayoutItem>> m_items;
    int m_gap;
};

} // namespace cairn::ui

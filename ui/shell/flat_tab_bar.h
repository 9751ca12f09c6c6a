// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTabBar>

namespace cairn::ui {

/// Tabs as words on the page's ground, the current one underlined in the accent and heavier, where
/// there is room for it. Keyboard and
/// accessibility are QTabBar's.
class FlatTabBar : public QTabBar {
    Q_OBJECT

public:
    explicit FlatTabBar(QWidget* parent = nullptr);

protected:
    QSize tabSizeHint(int index) const override;
    void paintEvent(QPaintEvent* event) override;

private:
    int wordsWidth(QFont::Weight weight) const;
    QFont::Weight currentWeight() const;
};

} // namespace cairn::ui

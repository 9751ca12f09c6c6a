// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTabBar>

namespace cairn::ui {

/// Tabs as plain words on the background of the page. The current one is underlined in the accent
/// colour, and bold if all tabs still fit. Keyboard and accessibility are those of QTabBar.
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

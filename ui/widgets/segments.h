// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QButtonGroup;

namespace cairn::ui {

/// Two or three views of the same data, side by side; exactly one is selected.
class Segments : public QWidget {
    Q_OBJECT

public:
    explicit Segments(const QStringList& labels, QWidget* parent = nullptr);
    void choose(int index);
    int chosen() const;
    void focusChosen();
    /// The chosen one must stay.
    void setOffered(int index, bool offered);

Q_SIGNALS:
    void chosenByUser(int index);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QButtonGroup* m_group;
};

} // namespace cairn::ui

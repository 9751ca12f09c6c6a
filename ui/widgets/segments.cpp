// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/segments.h"

#include "ui/theme/theme.h"

#include <QAbstractButton>
#include <QButtonGroup>
#include <QHBoxLayout>
#include <QPainter>

#include <algorithm>

namespace cairn::ui {
namespace {

class Segment : public QAbstractButton {
public:
    explicit Segment(const QString& label) {
        setText(label);
        setCheckable(true);
        setFocusPolicy(Qt::TabFocus);
    }
    QSize sizeHint() const override {
        return {fontMetrics().horizontalAdvance(text()) + 3 * theme::kGrid,
                std::max(theme::kControlHeight - 4, fontMetrics().height() + theme::kGrid)};
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QRectF ground = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
        if (isChecked()) {
            painter.setPen(theme::hairline(palette()));
            painter.setBrush(theme::cardGround(palette()));
            painter.drawRoundedRect(ground, theme::kControlRadius - 1, theme::kControlRadius - 1);
        }
        if (hasFocus()) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(theme::accent(palette()), 1.5));
            painter.drawRoundedRect(ground, theme::kControlRadius - 1, theme::kControlRadius - 1);
        }
        const bool lit = isChecked() || underMouse();
        painter.setPen(theme::color(lit ? theme::Tone::Plain : theme::Tone::Dim, palette()));
        painter.drawText(rect(), Qt::AlignCenter, text());
    }
    void enterEvent(QEnterEvent*) override { update(); }
    void leaveEvent(QEvent*) override { update(); }
};

} // namespace

Segments::Segments(const QStringList& labels, QWidget* parent)
    : QWidget(parent), m_group(new QButtonGroup(this)) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(2, 2, 2, 2);
    layout->setSpacing(0);
    for (const QString& label : labels) {
        auto* segment = new Segment(label);
        m_group->addButton(segment, static_cast<int>(m_group->buttons().size()));
        layout->addWidget(segment);
    }
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    choose(0);
    connect(m_group, &QButtonGroup::idClicked, this, [this](int index) {
        if (window()->focusWidget() != nullptr && isAncestorOf(window()->focusWidget())) {
            focusChosen();
        }
        Q_EMIT chosenByUser(index);
    });
}

void Segments::choose(int index) {
    m_group->button(index)->setChecked(true);
}

void Segments::focusChosen() {
    m_group->checkedButton()->setFocus(Qt::ShortcutFocusReason);
}

void Segments::setOffered(int index, bool offered) {
    m_group->button(index)->setVisible(offered);
}

int Segments::chosen() const {
    return m_group->checkedId();
}

void Segments::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme::track(palette()));
    painter.drawRoundedRect(rect(), theme::kControlRadius, theme::kControlRadius);
}

} // namespace cairn::ui

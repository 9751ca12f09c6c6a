// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/accessible.h"

#include "ui/widgets/painted_items.h"

#include <QAbstractItemView>
#include <QAccessibleWidget>
#include <QCoreApplication>
#include <QHeaderView>
#include <QStackedWidget>
#include <QVariant>
#include <QWidget>

#include <algorithm>
#include <utility>

namespace cairn::ui {
namespace {

constexpr char kRole[] = "cairnAccessibleRole";
constexpr char kValue[] = "cairnAccessibleValue";
constexpr char kPercent[] = "cairnAccessiblePercent";

std::function<void(QAccessibleEvent&)>& readerSpy() {
    static std::function<void(QAccessibleEvent&)> spy;
    return spy;
}

class RoleAccess : public QAccessibleWidget, public QAccessibleValueInterface {
public:
    RoleAccess(QWidget* widget, QAccessible::Role role) : QAccessibleWidget(widget, role) {}

    QString text(QAccessible::Text kind) const override {
        return kind == QAccessible::Value ? widget()->property(kValue).toString()
                                          : QAccessibleWidget::text(kind);
    }
    QAccessible::State state() const override {
        QAccessible::State state = QAccessibleWidget::state();
        if (role() == QAccessible::Notification) {
            state.invisible = false; // it is never seen, only read
        }
        state.busy = role() == QAccessible::ProgressBar && widget()->property(kPercent).isValid() &&
                     text(QAccessible::Value).isEmpty(); // progress that cannot be counted
        return state;
    }
    void* interface_cast(QAccessible::InterfaceType kind) override {
        return kind == QAccessible::ValueInterface && role() == QAccessible::ProgressBar
                   ? static_cast<QAccessibleValueInterface*>(this)
                   : QAccessibleWidget::interface_cast(kind);
    }
    QVariant currentValue() const override { return widget()->property(kPercent).toInt(); }
    void setCurrentValue(const QVariant&) override {}
    QVariant minimumValue() const override { return 0; }
    QVariant maximumValue() const override { return 100; }
    QVariant minimumStepSize() const override { return 1; }
};

QAccessibleInterface* make(const QString&, QObject* object) {
    auto* widget = qobject_cast<QWidget*>(object);
    if (widget == nullptr) {
        return nullptr;
    }
    if (auto* items = dynamic_cast<PaintedItems*>(widget)) {
        return items->makeAccess();
    }
    const QVariant role = widget->property(kRole);
    if (role.isValid()) {
        return new RoleAccess(widget, static_cast<QAccessible::Role>(role.toInt()));
    }
    // A stack of pages is skipped; Qt speaks of a "layered pane".
    return qobject_cast<QStackedWidget*>(widget) != nullptr ? new QAccessibleWidget(widget)
                                                            : nullptr;
}

} // namespace

void installAccessFactory() {
    static const bool installed = [] {
        QAccessible::installFactory(make);
        return true;
    }();
    static_cast<void>(installed);
}

void setReaderSpy(std::function<void(QAccessibleEvent&)> spy) {
    readerSpy() = std::move(spy);
}

void notifyScreenReaders(QAccessibleEvent& event) {
    if (readerSpy()) {
        readerSpy()(event);
    }
    QAccessible::updateAccessibility(&event);
}

void setAccessibleRole(QWidget* widget, QAccessible::Role role) {
    installAccessFactory();
    widget->setProperty(kRole, static_cast<int>(role));
}

void setAccessibleValue(QWidget* widget, const QString& value) {
    if (widget->property(kValue).toString() == value) {
        return;
    }
    widget->setProperty(kValue, value);
    QAccessibleValueChangeEvent event(widget, value);
    notifyScreenReaders(event);
}

void setAccessiblePercent(QWidget* widget, int percent) {
    const QString value = percent < 0 ? QString() : QString::number(percent) + QLatin1Char('%');
    if (widget->property(kPercent).isValid() && widget->property(kValue).toString() == value) {
        return;
    }
    widget->setProperty(kPercent, std::max(0, percent));
    widget->setProperty(kValue, value);
    QAccessibleValueChangeEvent event(widget, std::max(0, percent));
    notifyScreenReaders(event);
}

void describeSorting(QAbstractItemView* view, QHeaderView* header) {
    QObject::connect(header, &QHeaderView::sortIndicatorChanged, view,
                     [view, header](int column, Qt::SortOrder order) {
                         QString words;
                         if (column >= 0 && header->model() != nullptr) {
                             const QString name =
                                 header->model()->headerData(column, Qt::Horizontal).toString();
                             words = order == Qt::DescendingOrder
                                         ? QCoreApplication::translate("cairn::ui::Accessible",
                                                                       "Sorted by %1, descending")
                                         : QCoreApplication::translate("cairn::ui::Accessible",
                                                                       "Sorted by %1, ascending");
                             words = words.arg(name);
                         }
                         view->setAccessibleDescription(words);
                         announce(view, words);
                     });
}

void announce(QWidget* from, const QString& sentence) {
    if (sentence.isEmpty()) {
        return;
    }
    // Qt 6.4 has no event for announcements. Readers speak a notification that begins to show, so
    // one widget that nobody sees shows again for each sentence.
    static const QString kName = QStringLiteral("announcer");
    QWidget* window = from->window();
    auto* announcer = window->findChild<QWidget*>(kName, Qt::FindDirectChildrenOnly);
    if (announcer == nullptr) {
        announcer = new QWidget(window);
        announcer->setObjectName(kName);
        announcer->setFocusPolicy(Qt::NoFocus);
        announcer->setGeometry(0, 0, 0, 0);
        setAccessibleRole(announcer, QAccessible::Notification);
        announcer->hide();
    }
    announcer->setAccessibleName(sentence); // tells of the new name
    for (const QAccessible::Event kind : {QAccessible::ObjectShow, QAccessible::Alert}) {
        QAccessibleEvent event(announcer, kind);
        notifyScreenReaders(event);
    }
}

} // namespace cairn::ui

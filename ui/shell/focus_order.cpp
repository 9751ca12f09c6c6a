// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/focus_order.h"

#include <algorithm>

namespace cairn::ui {
namespace {

bool isTabStop(const QWidget& window, const QWidget& widget) {
    return (widget.focusPolicy() & Qt::TabFocus) == Qt::TabFocus && widget.isEnabled() &&
           widget.isVisibleTo(&window) && widget.focusProxy() == nullptr && !widget.isWindow();
}

} // namespace

bool focusNextInParts(QWidget& window, const std::vector<const QWidget*>& parts, bool next) {
    QWidget* const now = window.focusWidget();
    std::vector<QWidget*> stops;
    for (QWidget* widget = window.nextInFocusChain(); widget != &window;
         widget = widget->nextInFocusChain()) {
        if (isTabStop(window, *widget) || widget == now) {
            stops.push_back(widget);
        }
    }
    const auto partOf = [&](const QWidget* widget) {
        return std::ranges::find_if(parts,
                                    [widget](const QWidget* part) {
                                        return part == widget || part->isAncestorOf(widget);
                                    }) -
               parts.begin();
    };
    std::ranges::stable_sort(stops, {}, partOf);
    const auto at = std::ranges::find(stops, now);
    const auto count = static_cast<std::ptrdiff_t>(stops.size());
    if (count == 0 || (count == 1 && at != stops.end())) {
        return false;
    }
    const std::ptrdiff_t from = at != stops.end() ? at - stops.begin() : (next ? -1 : count);
    const std::ptrdiff_t to = (from + (next ? 1 : -1) + count) % count;
    stops[static_cast<std::size_t>(to)]->setFocus(next ? Qt::TabFocusReason
                                                       : Qt::BacktabFocusReason);
    return true;
}

} // namespace cairn::ui

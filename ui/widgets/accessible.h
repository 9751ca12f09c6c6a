// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAccessible>

#include <functional>

class QAbstractItemView;
class QHeaderView;
class QWidget;

/// What Qt cannot know of widgets that paint themselves. GUI thread only.
namespace cairn::ui {

/// The role that screen readers get; call it in the constructor. A widget of our own without one
/// is a "filler", which readers skip.
void setAccessibleRole(QWidget* widget, QAccessible::Role role);

/// What the widget shows at the moment; readers are told of a change.
void setAccessibleValue(QWidget* widget, const QString& value);

/// The value of a progress bar: 0 to 100, negative: not countable,
/// the state "busy". Needs the role ProgressBar.
void setAccessiblePercent(QWidget* widget, int percent);

/// Speaks a sentence about something that has not the focus: the result of a filter, the end of a
/// job.
void announce(QWidget* from, const QString& sentence);

/// All events for readers that this program sends itself go through here.
void notifyScreenReaders(QAccessibleEvent& event);
/// Called for each of them, for tests: Qt drops events while no reader runs.
void setReaderSpy(std::function<void(QAccessibleEvent&)> spy);

/// Tells readers how a table is sorted: when it changes, and as the description of its view.
void describeSorting(QAbstractItemView* view, QHeaderView* header);

} // namespace cairn::ui

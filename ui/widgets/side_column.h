// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QGridLayout;
class QVBoxLayout;
class QWidget;

/// What right columns of pages have in common.
namespace cairn::ui {

/// Fills `owner` with a column that scrolls vertically only, on the owner's ground.
QVBoxLayout* makeSideColumn(QWidget* owner);

/// Two columns: dim names, and their values.
QGridLayout* makeFactGrid(QWidget* box);
/// A row at the end; the value wraps and can be selected. `tip`: of both; empty: none.
void addFactRow(QGridLayout& grid, const QString& name, const QString& value,
                const QString& tip = {});

} // namespace cairn::ui

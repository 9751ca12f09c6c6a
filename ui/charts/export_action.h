// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/async_runner.h"
#include "ui/charts/chart_export.h"

#include <functional>

class QPoint;
class QString;
class QWidget;

namespace cairn::ui {

/// Asks for a file (without blocking) and writes the charts into it in the background. `report`
/// gets one sentence: where it is, or why it could not be. Text of the suggested name that cannot
/// be in a file name is replaced.
void askAndExport(QWidget& parent, AsyncRunner& saver, ChartExport charts, ExportFormat format,
                  const QString& suggested, std::function<void(const QString&)> report);

/// A context menu with the formats.
void popUpExportMenu(QWidget& parent, const QPoint& global,
                     std::function<void(ExportFormat)> chosen);

} // namespace cairn::ui

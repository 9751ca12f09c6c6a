// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/async_runner.h"
#include "ui/charts/chart_export.h"

#include <functional>

class QPoint;
class QString;
class QWidget;

namespace cairn::ui {

/// Opens a file dialog (without blocking) and writes the charts in the background. `report` gets
/// one sentence: the path, or the reason of the failure. Characters of the suggested name that are
/// not allowed in file names are replaced.
void askAndExport(QWidget& parent, AsyncRunner& saver, ChartExport charts, ExportFormat format,
                  const QString& suggested, std::function<void(const QString&)> report);

/// The same for a picture, which `draw` makes when the user has named the file.
void askAndExportPicture(QWidget& parent, AsyncRunner& saver, std::function<QByteArray()> draw,
                         ExportFormat format, const QString& suggested,
                         std::function<void(const QString&)> report);

/// A context menu with the formats of pictures.
void popUpPictureMenu(QWidget& parent, const QPoint& global,
                      std::function<void(ExportFormat)> chosen);

} // namespace cairn::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/model/dims.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

class QFontMetrics;
class QWidget;

/// Text from files and the way to the screen. Qt 6.4 opens images in rich text, so nothing from a
/// file may be interpreted as rich text: labels are made with plainLabel() or set to Qt::PlainText,
/// tooltips go through setToolTip().
namespace cairn::ui::text {

/// UTF-8 from the core or from a file; control, bidi and escape characters become visible.
QString fromCore(std::string_view text);
QString fromPath(const std::filesystem::path& path);
std::filesystem::path toPath(const QString& path);

/// As rich text that shows exactly the characters, long lines wrapped: for tooltips (also
/// Qt::ToolTipRole).
QString toolTip(const QString& plain);
void setToolTip(QWidget* widget, const QString& plain);
/// For screen readers; the same text again is no event, which they would all look into.
void setDescription(QWidget* widget, const QString& plain);

QString bytes(std::uint64_t bytes);      ///< "16.1 GB"
QString exactBytes(std::uint64_t bytes); ///< "16,060,522,496 bytes"
QString count(std::uint64_t count);      ///< "12,000"
QString shape(const Shape& shape);       ///< "4096 × 4096", "scalar"
QString moment(std::int64_t ms);         ///< since 1970: "29.11.26, 07:10", by the user's clock
QString duration(double seconds);        ///< "9 s", "3 min", "1 h 20 min", "under 1 s"
QString estimate(double seconds);        ///< "about 9 s", "under 1 s"
QString rate(double bytesPerSecond);     ///< "1.82 GB/s"
QString number(double value); ///< shortest that reads well: "1.702", "2e-05", "409,600", "NaN"

/// A number written as programs write it, with the user's decimal point. For what is shown; never
/// for commands, code, JSON and CSV, nor for values of a file, which are shown as it states them.
QString inLocale(QString number);

/// With '&' escaped, so that text from a file sets no mnemonic in a menu or on a button.
QString withoutMnemonic(QString text);

/// Cut in the middle so that it fits.
QString elided(const QString& text, const QFontMetrics& metrics, int width);
/// The number of characters up to the last separator ("-", "_", "/", space) with which all names
/// begin; 0 if they begin differently, or there are fewer than two.
qsizetype sharedStart(const QStringList& names);
/// Like elided(), for a name in a list: the first `shared` characters, which distinguish nothing,
/// are left out before others.
QString elidedAmong(const QString& name, qsizetype shared, const QFontMetrics& metrics, int width);

} // namespace cairn::ui::text

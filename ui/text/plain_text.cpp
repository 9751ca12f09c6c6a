// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/plain_text.h"

#include "core/base/visible_text.h"
#include "ui/text/program_numbers.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QFontMetrics>
#include <QLocale>
#include <QWidget>

#include <algorithm>
#include <cmath>

namespace cairn::ui::text {
namespace {

struct PlainWords {
    Q_DECLARE_TR_FUNCTIONS(cairn::ui::text)
};

} // namespace

QString fromCore(std::string_view text) {
    const std::string visible = visibleText(text);
    return QString::fromUtf8(visible.data(), static_cast<qsizetype>(visible.size()));
}

QString fromPath(const std::filesystem::path& path) {
    return fromCore(path.native());
}

std::filesystem::path toPath(const QString& path) {
    const QByteArray bytes = path.toLocal8Bit();
    return {std::string(bytes.constData(), static_cast<std::size_t>(bytes.size()))};
}

QString toolTip(const QString& plain) {
    if (plain.isEmpty()) {
        return {};
    }
    QString lines = plain.toHtmlEscaped();
    lines.replace(QLatin1Char('\n'), QLatin1String("<br>"));
    return QLatin1String("<qt>") + lines + QLatin1String("</qt>");
}

void setDescription(QWidget* widget, const QString& plain) {
    if (widget->accessibleDescription() != plain) {
        widget->setAccessibleDescription(plain);
    }
}

void setToolTip(QWidget* widget, const QString& plain) {
    widget->setToolTip(toolTip(plain));
    // Readers take a tooltip for the description, and would speak its markup.
    static constexpr char kSpoken[] = "cairnSpokenTip";
    const QString described = widget->accessibleDescription();
    if (described.isEmpty() || described == widget->property(kSpoken).toString()) {
        widget->setProperty(kSpoken, plain);
        setDescription(widget, plain);
    }
}

QString bytes(std::uint64_t bytes) {
    return ProgramNumbers::wanted() ? count(bytes)
                                    : inLocale(QString::fromStdString(formatBytes(bytes)));
}

QString exactBytes(std::uint64_t bytes) {
    return PlainWords::tr("%1 bytes").arg(count(bytes));
}

QString count(std::uint64_t count) {
    return ProgramNumbers::wanted() ? QString::number(count)
                                    : QLocale().toString(static_cast<qulonglong>(count));
}

QString shape(const Shape& shape) {
    if (shape.empty()) {
        return PlainWords::tr("scalar");
    }
    QStringList parts;
    for (const std::int64_t extent : shape) {
        parts << QString::number(extent);
    }
    return parts.join(QStringLiteral(" × "));
}

QString moment(std::int64_t ms) {
    const QDateTime at = QDateTime::fromMSecsSinceEpoch(ms);
    return ProgramNumbers::wanted() ? at.toOffsetFromUtc(at.offsetFromUtc()).toString(Qt::ISODate)
                                    : QLocale().toString(at, QLocale::ShortFormat);
}

QString duration(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0) {
        return {};
    }
    if (seconds < 1) {
        return PlainWords::tr("under 1 s");
    }
    if (seconds < 90) {
        return PlainWords::tr("%1 s").arg(std::lround(seconds));
    }
    const long minutes = std::lround(seconds / 60);
    return minutes < 90 ? PlainWords::tr("%1 min").arg(minutes)
                        : PlainWords::tr("%1 h %2 min").arg(minutes / 60).arg(minutes % 60);
}

QString estimate(double seconds) {
    return seconds < 1 ? duration(seconds) : PlainWords::tr("about %1").arg(duration(seconds));
}

QString rate(double bytesPerSecond) {
    return PlainWords::tr("%1/s").arg(
        bytes(static_cast<std::uint64_t>(std::max(0.0, bytesPerSecond))));
}

QString number(double value) {
    if (std::isnan(value)) {
        return QStringLiteral("NaN");
    }
    if (std::isinf(value)) {
        return value > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
    }
    const double size = std::abs(value);
    const double most = value == std::floor(value) ? 1e15 : 1e7; // in full, to a whole number
    if (size >= 1e4 && size < most) {
        return ProgramNumbers::wanted() ? QString::number(value, 'f', 0)
                                        : QLocale().toString(std::llround(value));
    }
    return inLocale(QString::number(value, 'g', 4));
}

QString inLocale(QString number) {
    return ProgramNumbers::wanted() ? number
                                    : number.replace(QLatin1Char('.'), QLocale().decimalPoint());
}

int& ProgramNumbers::depth() {
    thread_local int count = 0;
    return count;
}

QString withoutMnemonic(QString text) {
    return text.replace(QLatin1Char('&'), QLatin1String("&&"));
}

QString elided(const QString& text, const QFontMetrics& metrics, int width) {
    // elidedText() counts fractions of a pixel that a width from horizontalAdvance() lacks.
    return metrics.horizontalAdvance(text) <= width
               ? text
               : metrics.elidedText(text, Qt::ElideMiddle, width);
}

qsizetype sharedStart(const QStringList& names) {
    if (names.size() < 2) {
        return 0;
    }
    const QString& first = names.front();
    qsizetype shared = first.size();
    for (const QString& name : names) {
        const auto differs =
            std::mismatch(first.begin(), first.begin() + shared, name.begin(), name.end());
        shared = differs.first - first.begin();
    }
    static const QString separators = QStringLiteral("-_/ ");
    while (shared > 0 && !separators.contains(first[shared - 1])) {
        --shared;
    }
    return shared;
}

QString elidedAmong(const QString& name, qsizetype shared, const QFontMetrics& metrics, int width) {
    constexpr qsizetype kWorthwhile = 3; // characters; fewer are no longer than the ellipsis
    return shared < kWorthwhile || shared >= name.size() || metrics.horizontalAdvance(name) <= width
               ? elided(name, metrics, width)
               : elided(QStringLiteral("…") + name.mid(shared), metrics, width);
}

} // namespace cairn::ui::text

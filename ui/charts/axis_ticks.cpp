// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/axis_ticks.h"

#include "ui/text/plain_text.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>

namespace cairn::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(cairn::ui::AxisTick)
};

constexpr double kMinute = 60;
constexpr double kHour = 3600;
constexpr double kDay = 86'400;

void dropZeros(QString& fraction) {
    while (fraction.endsWith(QLatin1Char('0'))) {
        fraction.chop(1);
    }
    if (fraction.endsWith(QLatin1Char('.'))) {
        fraction.chop(1);
    }
}

/// "1e-5" instead of "1e-05".
QString scientific(double value, char form, int digits) {
    QString number = QString::number(value, form, digits);
    const qsizetype exponent = number.indexOf(QLatin1Char('e')) + 2;
    while (exponent > 1 && exponent + 1 < number.size() && number[exponent] == QLatin1Char('0')) {
        number.remove(exponent, 1);
    }
    return number;
}

double roundStep(double least) {
    const double decade = std::pow(10.0, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * decade >= least * (1 - 1e-9)) {
            return factor * decade;
        }
    }
    return 10 * decade;
}

double timeStep(double least) {
    constexpr std::array kSteps{1.0,      2.0,         5.0,         15.0,         30.0,
                                kMinute,  2 * kMinute, 5 * kMinute, 15 * kMinute, 30 * kMinute,
                                kHour,    2 * kHour,   6 * kHour,   12 * kHour,   kDay,
                                2 * kDay, 7 * kDay};
    if (least < 1) {
        return roundStep(least);
    }
    for (const double step : kSteps) {
        if (step >= least) {
            return step;
        }
    }
    return kDay * roundStep(least / kDay);
}

/// One of small numbers that are `step` apart: "0", "5e-5", "1e-4".
QString smallNumber(double value, double step) {
    if (value == 0) {
        return QStringLiteral("0");
    }
    const double digits = std::floor(std::log10(std::abs(value)) + 1e-9) - std::log10(step);
    const QString number =
        scientific(value, 'e', std::clamp(static_cast<int>(std::ceil(digits - 1e-9)), 0, 9));
    const qsizetype exponent = number.indexOf(QLatin1Char('e'));
    QString mantissa = number.first(exponent);
    if (digits > 1e-9) {
        dropZeros(mantissa);
    }
    return text::inLocale(mantissa + number.sliced(exponent));
}

/// 12000 as "12k": only if every tick of the axis gets short that way. `largest` of the axis: all
/// have an exponent or none has.
QString shortNumber(double value, double step, double largest) {
    struct Unit {
        double size;
        const char* mark;
    };
    constexpr std::array kUnits{Unit{1e12, "T"}, Unit{1e9, "G"}, Unit{1e6, "M"}, Unit{1e3, "k"}};
    const double magnitude = std::abs(value);
    for (const auto& [size, mark] : kUnits) {
        if (magnitude >= size * (1 - 1e-9) && size < 1e15) {
            const double part = value / size;
            const double partStep = step / size;
            const int digits =
                partStep >= 1
                    ? 0
                    : std::min(6, static_cast<int>(std::ceil(-std::log10(partStep) - 1e-9)));
            QString number = QString::number(part, 'f', digits);
            if (digits > 0) {
                dropZeros(number);
            }
            return text::inLocale(number) + QLatin1String(mark);
        }
    }
    if (step < 1e-4 * (1 - 1e-9) && largest < 1e-2) {
        return smallNumber(value, step);
    }
    const int digits =
        step >= 1 ? 0 : std::min(9, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
    return text::inLocale(QString::number(value, 'f', digits));
}

QString durationTick(double seconds, double step) {
    if (seconds == 0) {
        return QStringLiteral("0");
    }
    if (step >= kDay) {
        return Words::tr("%1 d").arg(seconds / kDay);
    }
    if (step >= kHour) {
        return Words::tr("%1 h").arg(seconds / kHour);
    }
    if (step >= kMinute) {
        return seconds < kHour ? Words::tr("%1 min").arg(seconds / kMinute)
                               : Words::tr("%1:%2 h")
                                     .arg(std::floor(seconds / kHour))
                                     .arg(static_cast<int>(std::fmod(seconds, kHour) / kMinute), 2,
                                          10, QLatin1Char('0'));
    }
    return Words::tr("%1 s").arg(seconds);
}

QDateTime moment(double seconds) {
    return QDateTime::fromMSecsSinceEpoch(
        static_cast<qint64>(std::clamp(seconds, -6e10, 2.5e11) * 1000.0));
}

QString momentTick(double seconds, double step) {
    const QDateTime at = moment(seconds);
    if (step >= kDay) {
        return QLocale().toString(at.date(), QStringLiteral("d MMM"));
    }
    return at.toString(step >= kMinute ? QStringLiteral("HH:mm") : QStringLiteral("HH:mm:ss"));
}

QString label(double value, double step, double largest, AxisUnit unit) {
    switch (unit) {
    case AxisUnit::Duration:
        return durationTick(value, step);
    case AxisUnit::Moment:
        return momentTick(value, step);
    case AxisUnit::Plain:
    case AxisUnit::Whole:
        break;
    }
    return shortNumber(value, step, largest);
}

std::vector<AxisTick> linearTicks(Range range, AxisUnit unit, int wanted) {
    const double least = range.length() / std::max(1, wanted);
    const bool timed = unit == AxisUnit::Duration || unit == AxisUnit::Moment;
    double step = timed ? timeStep(least) : roundStep(least);
    if (unit == AxisUnit::Whole) {
        step = std::max(1.0, step);
    }
    // Moments are round in local time.
    const double shift =
        unit == AxisUnit::Moment ? static_cast<double>(moment(range.low).offsetFromUtc()) : 0.0;
    const double largest = std::max(std::abs(range.low), std::abs(range.high));
    std::vector<AxisTick> ticks;
    const double first = std::ceil((range.low + shift) / step - 1e-9);
    for (int i = 0; i <= 2 * std::max(1, wanted); ++i) {
        double value = (first + i) * step - shift;
        if (value > range.high + step * 1e-9) {
            break;
        }
        if (std::abs(value) < step * 1e-9) {
            value = 0;
        }
        ticks.push_back({value, label(value, step, largest, unit)});
    }
    return ticks;
}

std::vector<AxisTick> logTicks(Range range, AxisUnit unit, int wanted) {
    const double decades = std::log10(range.high / range.low);
    if (decades < 1.5) {
        return linearTicks(range, unit, wanted);
    }
    const int every = std::max(1, static_cast<int>(std::ceil(decades / std::max(1, wanted))));
    const bool between = decades * 3 <= wanted;
    std::vector<AxisTick> ticks;
    const int first = static_cast<int>(std::floor(std::log10(range.low)));
    const int last = static_cast<int>(std::ceil(std::log10(range.high)));
    for (int exponent = first - first % every - every; exponent <= last; exponent += every) {
        for (const double factor : {1.0, 2.0, 5.0}) {
            const double value = factor * std::pow(10.0, exponent);
            if (value >= range.low * (1 - 1e-9) && value <= range.high * (1 + 1e-9) &&
                (factor == 1.0 || between)) {
                const bool plain = exponent > -4 && exponent < 4;
                ticks.push_back({value, unit == AxisUnit::Duration || unit == AxisUnit::Moment
                                            ? durationTick(value, value)
                                        : plain ? text::number(value)
                                        : exponent >= 4 && exponent < 15
                                            ? shortNumber(value, value, value)
                                            : text::inLocale(scientific(value, 'g', 2))});
            }
        }
    }
    return ticks;
}

} // namespace

std::vector<AxisTick> axisTicks(Range range, Scale scale, AxisUnit unit, int wanted) {
    if (!std::isfinite(range.low) || !std::isfinite(range.high) || !(range.low < range.high)) {
        return {};
    }
    return scale == Scale::Log && range.low > 0 ? logTicks(range, unit, wanted)
                                                : linearTicks(range, unit, wanted);
}

QString axisValue(double value, AxisUnit unit) {
    switch (unit) {
    case AxisUnit::Whole:
        if (value == std::floor(value) && std::abs(value) < 1e15) {
            return QLocale().toString(static_cast<qlonglong>(value));
        }
        break;
    case AxisUnit::Duration:
        return value < 90 ? Words::tr("%1 s").arg(text::inLocale(QString::number(value, 'g', 3)))
                          : text::duration(value);
    case AxisUnit::Moment:
        return QLocale().toString(moment(value), QLocale::ShortFormat);
    case AxisUnit::Plain:
        break;
    }
    return text::inLocale(QString::number(value, 'g', 5));
}

Range withMargin(Range range, Scale scale, double share) {
    if (scale == Scale::Log && range.low > 0) {
        double low = std::log10(range.low);
        double high = std::log10(range.high);
        if (high - low < 1e-6) {
            low -= 0.3;
            high += 0.3;
        }
        const double air = share * (high - low);
        return {std::pow(10.0, low - air), std::pow(10.0, high + air)};
    }
    const double least = std::max(std::abs(range.low), std::abs(range.high)) * 1e-9;
    if (range.length() <= least) {
        const double half = range.low == 0 ? 1.0 : std::abs(range.low) * 0.1;
        return {range.low - half, range.high + half};
    }
    const double air = share * range.length();
    return {range.low - air, range.high + air};
}

} // namespace cairn::ui

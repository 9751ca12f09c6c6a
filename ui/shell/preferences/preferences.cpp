// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/preferences/preferences.h"

#include "core/runs/facts/index_cache.h"

#include <QSettings>

#include <algorithm>
#include <array>
#include <cmath>

namespace cairn::ui {
namespace {

const QString kTheme = QStringLiteral("preferences/theme");
const QString kFont = QStringLiteral("preferences/fontSize");
const QString kMono = QStringLiteral("preferences/monospaceSize");
const QString kUnits = QStringLiteral("preferences/binaryUnits");
const QString kSmoothing = QStringLiteral("preferences/smoothing");
const QString kCache = QStringLiteral("preferences/cacheBytes");
const auto kThemes = std::to_array<QString>(
    {QStringLiteral("system"), QStringLiteral("light"), QStringLiteral("dark")});
static_assert(Preferences::kCacheLimit == IndexCache::kMaxFolder);

double within(const QVariant& value, double least, double most, double otherwise) {
    bool isNumber = false;
    const double number = value.toDouble(&isNumber);
    return isNumber && number >= least && number <= most ? number : otherwise;
}

} // namespace

Preferences::Preferences(QSettings& settings, QObject* parent)
    : QObject(parent), m_settings(settings) {
    const auto theme = std::ranges::find(kThemes, settings.value(kTheme).toString());
    m_values.scheme = theme != kThemes.end() ? static_cast<theme::Scheme>(theme - kThemes.begin())
                                             : theme::Scheme::System;
    const auto points = [&](const QString& key) {
        return within(settings.value(key), theme::kSmallestFont, theme::kLargestFont, 0);
    };
    m_values.fonts = {points(kFont), points(kMono)};
    m_values.binaryUnits = settings.value(kUnits).toBool();
    m_values.smoothing = within(settings.value(kSmoothing), 0, kMaxSmoothing, m_values.smoothing);
    bool isNumber = false;
    const qulonglong bytes = settings.value(kCache).toULongLong(&isNumber);
    m_values.cacheLimit = isNumber ? bytes : kCacheLimit;
}

void Preferences::set(const Values& values) {
    if (values == m_values) {
        return;
    }
    const Values before = std::exchange(m_values, values);
    const Values defaults;
    const auto save = [this](const QString& key, const QVariant& value, bool isDefault) {
        isDefault ? m_settings.remove(key) : m_settings.setValue(key, value);
    };
    save(kTheme, kThemes.at(static_cast<std::size_t>(values.scheme)),
         values.scheme == defaults.scheme);
    save(kFont, values.fonts.interface, values.fonts.interface == defaults.fonts.interface);
    save(kMono, values.fonts.mono, values.fonts.mono == defaults.fonts.mono);
    save(kUnits, values.binaryUnits, values.binaryUnits == defaults.binaryUnits);
    save(kSmoothing, values.smoothing, values.smoothing == defaults.smoothing);
    save(kCache, QVariant::fromValue<qulonglong>(values.cacheLimit),
         values.cacheLimit == defaults.cacheLimit);
    Q_EMIT changed(before);
}

} // namespace cairn::ui

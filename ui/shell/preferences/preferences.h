// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/appearance.h"

#include <QObject>

#include <cstdint>

class QSettings;

namespace cairn::ui {

/// What the user prefers, in the settings; a value that is not set, or is invalid, is the default.
/// set() saves and announces at once. GUI thread.
class Preferences : public QObject {
    Q_OBJECT

public:
    struct Values {
        theme::Scheme scheme = theme::Scheme::System;
        theme::FontSizes fonts;
        bool binaryUnits = false;               ///< KiB, MiB in place of kB, MB
        double smoothing = 0.6;                 ///< of curves whose smoothing was not chosen
        std::uint64_t cacheLimit = kCacheLimit; ///< bytes; 0: nothing is cached
        friend bool operator==(const Values&, const Values&) = default;
    };
    static constexpr std::uint64_t kCacheLimit = std::uint64_t{512} << 20U;
    static constexpr double kMaxSmoothing = 0.99;

    /// The settings outlive this.
    explicit Preferences(QSettings& settings, QObject* parent = nullptr);

    const Values& values() const { return m_values; }
    void set(const Values& values);

Q_SIGNALS:
    void changed(const cairn::ui::Preferences::Values& before);

private:
    QSettings& m_settings;
    Values m_values;
};

} // namespace cairn::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPalette>
#include <QString>

class QWidget;

namespace cairn::ui {

class MainWindow;

namespace pictures {

inline constexpr int kSettleMs = 20'000;
inline constexpr int kFillMs = 400; ///< for what pages load on their own

void pause(int milliseconds);

/// Takes one window in all four ways.
class Camera {
public:
    Camera(MainWindow& window, const QString& folder);

    /// False: a picture could not be written.
    bool take(const QString& name);
    void setPopup(QWidget* popup) { m_popup = popup; }
    int count() const { return m_count; }

private:
    MainWindow& m_window;
    QString m_folder;
    QPalette m_light;
    QWidget* m_popup = nullptr;
    int m_count = 0;
};

} // namespace pictures
} // namespace cairn::ui

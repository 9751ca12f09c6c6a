// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>

#include <functional>
#include <utility>

namespace cairn::ui {

/// A page whose choices (columns, order, chart options) survive a restart. The shell saves and
/// restores them; pages write no settings themselves. GUI thread only.
class KeepsState {
public:
    virtual ~KeepsState() = default;

    virtual QJsonObject keptState() const = 0;
    /// `state` is from a file: unknown, missing and invalid values are ignored.
    virtual void restoreState(const QJsonObject& state) = 0;

    void setOnStateChanged(std::function<void()> changed) { m_changed = std::move(changed); }

protected:
    void stateChanged() const {
        if (m_changed) {
            m_changed();
        }
    }

private:
    std::function<void()> m_changed;
};

} // namespace cairn::ui

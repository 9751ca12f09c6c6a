// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <vector>

namespace cairn::ui {

class ShownSubject;
class WindowParts;

/// Back and Forward: which checkpoint, run or experiment was shown on which tab. A value type.
class VisitHistory {
public:
    struct Place {
        std::filesystem::path path;
        int tab = 0;
        friend bool operator==(const Place&, const Place&) = default;
    };

    /// Drops the forward entries; the same place twice counts once.
    void visit(const Place& place) {
        if (!m_places.empty() && m_places[m_at] == place) {
            return;
        }
        m_places.resize(m_places.empty() ? 0 : m_at + 1);
        if (m_places.size() >= kMost) {
            m_places.erase(m_places.begin());
        }
        m_places.push_back(place);
        m_at = m_places.size() - 1;
    }
    bool canGoBack() const { return m_at > 0; }
    bool canGoForward() const { return m_at + 1 < m_places.size(); }
    std::optional<Place> back() {
        return canGoBack() ? std::optional(m_places[--m_at]) : std::nullopt;
    }
    std::optional<Place> forward() {
        return canGoForward() ? std::optional(m_places[++m_at]) : std::nullopt;
    }

private:
    static constexpr std::size_t kMost = 100;
    std::vector<Place> m_places;
    std::size_t m_at = 0;
};

/// Go > Back and Forward: records what is shown on which tab, and shows it again.
class VisitedPlaces : public QObject {
    Q_OBJECT

public:
    /// Both outlive this.
    VisitedPlaces(WindowParts& parts, ShownSubject& subject);

private:
    void visit();
    void goTo(const VisitHistory::Place& place);
    void updateActions();

    WindowParts& m_parts;
    ShownSubject& m_subject;
    VisitHistory m_history;
    bool m_going = false; ///< Back and Forward are not visits
};

} // namespace cairn::ui

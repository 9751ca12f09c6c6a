// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/compare/weight_distance.h"

#include <QString>
#include <QStringList>
#include <QTimer>
#include <QWidget>

#include <cstdint>
#include <filesystem>
#include <vector>

class QVBoxLayout;

namespace cairn::ui {

class Button;
class TextLabel;

/// The distance of the weights of several checkpoints to the first one, a row each: a click
/// compares the two tensor by tensor. Small amounts are read at once, more on request. GUI thread
/// only.
class BestDistances : public QWidget {
    Q_OBJECT

public:
    static constexpr std::size_t kMost = 12; ///< rows

    struct Place {
        QString name;
        std::filesystem::path checkpoint;
        std::int64_t modifiedNs = 0;
        bool complete = true; ///< nothing is known to be missing
        friend bool operator==(const Place&, const Place&) = default;
    };

    explicit BestDistances(QWidget* parent = nullptr);

    /// The first one is what the others are compared with; less than two hide the widget.
    void show(std::vector<Place> places);
    /// Every distance is known, or reading waits for the user.
    bool isSettled() const;
    /// "seed-2: 0.31", a line each: for tests.
    QStringList lines() const { return m_lines; }
    Button* button() const { return m_button; }

Q_SIGNALS:
    void diffRequested(const std::filesystem::path& left, const std::filesystem::path& right);

private:
    void measure();
    void refresh();

    std::vector<Place> m_places;
    QTimer m_delay; ///< a brush that is being dragged reads nothing
    WeightDistance m_distance;
    TextLabel* m_head;
    QVBoxLayout* m_rows;
    Button* m_button;
    TextLabel* m_progress;
    QStringList m_lines;
};

} // namespace cairn::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/space/retention_controller.h"

#include <QWidget>

class QVBoxLayout;

namespace cairn::ui {

class TextLabel;

/// The right column beside a treemap of runs: what a plan frees, how many checkpoints it moves,
/// keeps and does not touch, and why.
class PlanPanel : public QWidget {
    Q_OBJECT

public:
    explicit PlanPanel(QWidget* parent = nullptr);
    /// `total`: bytes of what is shown.
    void show(const RetentionController& controller, std::uint64_t total);

private:
    struct Reason {
        QString what;
        QString why;
    };
    void addReasons(const QString& caption, const std::vector<Reason>& reasons, bool warn);
    void addCount(const QString& what, std::size_t count, const QString& remark);
    void clear();

    TextLabel* m_freed;
    TextLabel* m_of;
    QVBoxLayout* m_rows;
    TextLabel* m_note;
    QWidget* m_box = nullptr;
};

} // namespace cairn::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/jobs/bundle/model_memory.h"
#include "ui/bridge/async_runner.h"
#include "ui/widgets/card.h"

#include <vector>

class QBoxLayout;
class QGridLayout;

namespace cairn::ui {

class Button;

/// "Memory": what training and serving the model takes, as `cairn-cli info` says it. The formula of
/// each figure and the less usual optimizers are shown on request.
class MemoryCard : public Card {
    Q_OBJECT

public:
    /// Whether there is a figure to show.
    static bool hasFigures(const FoundMemory& memory);

    explicit MemoryCard(const FoundMemory& memory, QWidget* parent = nullptr);

    void setFormulasShown(bool shown);
    Button* formulasButton() const { return m_button; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    /// A column of figures under a heading.
    QGridLayout* addColumn(const QString& heading);
    /// `isDetail`: hidden with the formulas.
    void addRow(QGridLayout& grid, const QString& name, const QString& figure,
                const QString& formula, bool isDetail = false);
    void addTraining(const MemoryNeeds& needs);
    void addServing(const MemoryNeeds& needs);
    void addSources(const FoundMemory& memory);

    QBoxLayout* m_columns;
    std::vector<QWidget*> m_details;
    Button* m_button;
    bool m_shown = false;
};

/// The place of a MemoryCard: it finds the figures of a complete checkpoint on a worker, and is
/// hidden while there are none.
class MemoryPane : public QWidget {
    Q_OBJECT

public:
    explicit MemoryPane(QWidget* parent = nullptr);

    void show(const CheckpointPtr& checkpoint);
    void clear();
    MemoryCard* card() const { return m_card; } ///< null: none is shown

private:
    AsyncRunner m_runner{AsyncRunner::Pool::Background};
    MemoryCard* m_card = nullptr;
};

} // namespace cairn::ui

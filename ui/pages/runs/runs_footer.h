// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/runs/run_arrangement.h"

#include <QWidget>

class QBoxLayout;
class QGridLayout;

namespace cairn::ui {

class Card;
class RelationCards;
class TurnQueue;
class TextLabel;

/// Below the charts of the Runs page: plots of the runs by what varies, what explains the main
/// metric, the settings that vary, and what could not be read. Cards without content are hidden.
class RunsFooter : public QWidget {
    Q_OBJECT

public:
    /// The queue outlives the footer.
    explicit RunsFooter(TurnQueue& turns, QWidget* parent = nullptr);

    void showSettings(const RunGrid& grid);
    /// Null: nothing is known.
    void showExplanation(const RunGrid& grid, const MetricExplanation* explanation);
    void showNotes(const QStringList& lines);
    void setHint(const QString& sentence);

    RelationCards* relation() const { return m_relation; }
    Card* explanation() const { return m_explanation; }
    Card* settings() const { return m_settings; }
    QString hint() const;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    TextLabel* m_hint;
    QBoxLayout* m_cards;
    Card* m_explanation;
    QGridLayout* m_effects;
    TextLabel* m_method;
    Card* m_settings;
    QGridLayout* m_values;
    RelationCards* m_relation;
    TextLabel* m_notes;
};

} // namespace cairn::ui

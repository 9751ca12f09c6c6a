// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/runs/run_arrangement.h"
#include "ui/pages/runs/run_notes.h"

#include <QWidget>

#include <filesystem>
#include <vector>

class QGridLayout;
class QPlainTextEdit;
class QVBoxLayout;

namespace cairn::ui {

class BestDistances;
class Button;
class TextLabel;

/// The right column of the Runs page: the facts of the chosen run and the user's note about it; or
/// of a group or several chosen runs best, mean and worst, their best checkpoints, and how far
/// their weights are from those of the best one.
class RunsSide : public QWidget {
    Q_OBJECT

public:
    explicit RunsSide(QWidget* parent = nullptr);

    /// `runs`: indices into the experiment's runs.
    /// `measures`: the user chose these runs; the distances of their weights are wanted.
    void show(const RunsDataPtr& from, const QString& name, const std::vector<std::size_t>& runs,
              bool measures);
    /// The note of the shown run; a text that is being edited stays.
    void setNote(const QString& note);
    /// Of one run; empty: several or none.
    const std::filesystem::path& notedRun() const { return m_noted; }
    void clear();

    QString headline() const;
    /// The facts as lines, "best: 1.641": for tests and screen readers.
    QStringList facts() const { return m_facts; }
    Button* openButton() const { return m_open; }
    Button* diffButton() const { return m_diff; }
    Button* compareButton() const { return m_compare; }
    Button* averageButton() const { return m_average; }
    QPlainTextEdit* noteEdit() const { return m_note; }
    BestDistances* distances() const { return m_distances; }

Q_SIGNALS:
    void checkpointChosen(const std::filesystem::path& checkpoint);
    void diffRequested(const std::filesystem::path& left, const std::filesystem::path& right);
    void compareRequested(const std::filesystem::path& left, const std::filesystem::path& right);
    void averageRequested(const std::vector<std::filesystem::path>& checkpoints);
    void noteEdited(const std::filesystem::path& run, const QString& note);

private:
    /// A run's best checkpoint, else its newest.
    struct Best { // of m_from; there may be thousands
        const ScannedRun* run;
        const ScannedCheckpoint* checkpoint;
        const GridRow* row;
        bool isRanked; ///< its score can be compared with those of the other ranked ones
    };
    static QString scoreText(const Best& best);
    QString nameOf(const Best& best) const;
    void build();
    void forget();
    QWidget* makeNote();
    std::vector<std::filesystem::path> averaged() const;
    void fact(const QString& what, const QString& value);
    void showRun(const RunsData& from, std::uint32_t row);
    void showGroup(const RunsData& from, const std::vector<std::uint32_t>& rows);
    void showCheckpoints(const RunsData& from, const std::vector<std::uint32_t>& rows);

    TextLabel* m_kind;
    TextLabel* m_name;
    TextLabel* m_line;
    QGridLayout* m_grid;
    TextLabel* m_checkpointsHead;
    QVBoxLayout* m_checkpoints;
    Button* m_open;
    Button* m_diff;
    Button* m_compare;
    Button* m_average;
    BestDistances* m_distances;
    TextLabel* m_noteHead;
    QPlainTextEdit* m_note;
    QWidget* m_noteCard;
    std::filesystem::path m_noted;
    QWidget* m_body;
    QStringList m_facts;
    RunsDataPtr m_from;
    bool m_several = false;   ///< runs are shown
    std::vector<Best> m_best; ///< the best one first
};

} // namespace cairn::ui

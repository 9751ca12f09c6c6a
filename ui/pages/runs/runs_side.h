// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/runs/run_arrangement.h"

#include <QWidget>

#include <filesystem>
#include <optional>
#include <vector>

class QGridLayout;
class QVBoxLayout;

namespace cairn::ui {

class Button;
class TextLabel;

/// The right column of the Runs page: the facts of the chosen run, or of a group or several chosen
/// runs: best, mean and worst, and their best checkpoints.
class RunsSide : public QWidget {
    Q_OBJECT

public:
    explicit RunsSide(QWidget* parent = nullptr);

    /// `runs`: indices into the experiment's runs.
    void show(const RunsDataPtr& from, const QString& name, const std::vector<std::size_t>& runs);
    void clear();

    QString headline() const;
    /// The facts as lines, "best: 1.641": for tests and screen readers.
    QStringList facts() const { return m_facts; }
    Button* openButton() const { return m_open; }
    Button* diffButton() const { return m_diff; }
    Button* compareButton() const { return m_compare; }

Q_SIGNALS:
    void checkpointChosen(const std::filesystem::path& checkpoint);
    void diffRequested(const std::filesystem::path& left, const std::filesystem::path& right);
    void compareRequested(const std::filesystem::path& left, const std::filesystem::path& right);

private:
    /// A run's best checkpoint, else its newest.
    struct Best {
        std::filesystem::path run;
        std::filesystem::path checkpoint;
        QString name;
        QString detail;
        std::optional<double> value;
    };
    void build();
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
    QWidget* m_body;
    QStringList m_facts;
    std::vector<Best> m_best; ///< the best one first
};

} // namespace cairn::ui

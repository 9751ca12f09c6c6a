// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/checkpoint.h"
#include "ui/bridge/async_runner.h"

#include <QDialog>
#include <QString>

#include <filesystem>
#include <vector>

class QPlainTextEdit;

namespace cairn::ui {

class CheckBox;
class TextLabel;

/// What a problem report says of the window, besides the system.
struct ReportFacts {
    QString version;
    QString page; ///< title of the current tab
    CheckpointPtr checkpoint;
    std::filesystem::path path; ///< of the checkpoint
    std::vector<std::filesystem::path> folders;
    std::size_t runs = 0;
    std::size_t checkpoints = 0;
    std::size_t activeJobs = 0;
};

/// Plain text in English, for the maintainers. Without `names` it has no path and no name of a
/// file, run, tensor or user.
QString reportText(const ReportFacts& facts, bool names);

/// Shows the report, to be copied or saved. The program sends nothing.
class ProblemReport : public QDialog {
    Q_OBJECT

public:
    explicit ProblemReport(ReportFacts facts, QWidget* parent = nullptr);

    QString text() const;
    CheckBox* names() const { return m_names; }

private:
    void fill();
    void save();

    ReportFacts m_facts;
    QPlainTextEdit* m_text;
    CheckBox* m_names;
    TextLabel* m_done;
    AsyncRunner m_saving;
};

} // namespace cairn::ui

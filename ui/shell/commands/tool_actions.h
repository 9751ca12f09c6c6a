// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/summary/checkpoint_tools.h"

#include <QFileDialog>
#include <QObject>

#include <filesystem>

namespace cairn::ui {

class ShownSubject;
class WindowParts;

/// The menu Tools, as far as it reads: checks, scans, hashes and verifies the shown checkpoint.
class ToolActions : public QObject {
    Q_OBJECT

public:
    /// Both outlive this.
    ToolActions(WindowParts& parts, const ShownSubject& subject);

private:
    void run(CheckpointTool tool, const std::filesystem::path& other = {});
    void verifyAgainst(QFileDialog::FileMode mode); ///< asks for the other checkpoint
    void updateActions();

    WindowParts& m_parts;
    const ShownSubject& m_subject;
};

} // namespace cairn::ui

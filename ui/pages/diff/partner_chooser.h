// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/diff/diff_document.h"

#include <QWidget>

#include <filesystem>

class QVBoxLayout;

namespace cairn::ui {

class TextLabel;

/// Selects the checkpoint to compare with: another of the run, or any folder or file.
class PartnerChooser : public QWidget {
    Q_OBJECT

public:
    explicit PartnerChooser(QWidget* parent = nullptr);
    void offer(const std::filesystem::path& checkpoint, const ScannedRun& run);

    /// "tiny-llama-a/step-400": two path components distinguish checkpoints of several runs.
    static QString shortPath(const std::filesystem::path& checkpoint);

Q_SIGNALS:
    void chosen(const std::filesystem::path& checkpoint);

private:
    void list(const std::vector<Neighbour>& neighbours);
    void pick(bool folder);

    std::filesystem::path m_checkpoint;
    TextLabel* m_title;
    QVBoxLayout* m_choices;
};

} // namespace cairn::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/copy_plan.h"
#include "ui/text/error_text.h"
#include "ui/widgets/message_strip.h"

#include <filesystem>
#include <optional>

namespace cairn::ui {

/// What stops a plan, in words: the first problem, and the titles of the others.
struct BlockingProblem {
    text::ErrorWords words;
    ErrorCode code{};
};
std::optional<BlockingProblem> blockingOf(const CopyPlan& plan); ///< empty: nothing does

/// One card for all that stops the job, with what helps.
class ProblemStrip : public MessageStrip {
    Q_OBJECT

public:
    /// `source`: the checkpoint; empty: it could not be opened.
    ProblemStrip(const text::ErrorWords& words, ErrorCode code, const std::filesystem::path& source,
                 QWidget* parent = nullptr);

Q_SIGNALS:
    void castRequested(); ///< to float32
    void outputRequested();
    void shardsRequested(const std::filesystem::path& checkpoint);
    void openFolderRequested(const std::filesystem::path& path);
    void locateRequested(const std::filesystem::path& checkpoint);
    void refreshRequested();
};

} // namespace cairn::ui

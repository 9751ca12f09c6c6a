// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/consolidate/problem_strip.h"

#include <algorithm>
#include <iterator>

namespace cairn::ui {

std::optional<BlockingProblem> blockingOf(const CopyPlan& plan) {
    const auto blocking = std::ranges::find(plan.problems, Severity::Error, &PlanProblem::severity);
    if (blocking == plan.problems.end()) {
        return std::nullopt;
    }
    text::ErrorWords words = text::describe(*blocking);
    for (auto other = std::next(blocking); other != plan.problems.end(); ++other) {
        if (other->severity == Severity::Error) {
            words.detail += QLatin1Char('\n') + text::describe(*other).title;
        }
    }
    words.detail = (words.detail + QLatin1Char(' ') +
                    ProblemStrip::tr("Nothing is written until this is resolved."))
                       .trimmed();
    return BlockingProblem{words, blocking->code};
}

ProblemStrip::ProblemStrip(const text::ErrorWords& words, ErrorCode code,
                           const std::filesystem::path& source, QWidget* parent)
    : MessageStrip(parent) {
    setClosable(false);
    Message message{theme::Tone::Broken, words.title, words.detail, {}};
    if (code == ErrorCode::DtypeNotRepresentable) {
        message.actions.push_back({tr("Cast to float32"), [this] { Q_EMIT castRequested(); }});
    }
    switch (text::remedy(code)) {
    case text::Remedy::ChooseOtherFolder:
        message.actions.push_back(
            {tr("Choose Other Folder…"), [this] { Q_EMIT outputRequested(); }});
        break;
    case text::Remedy::ShowReadable:
        if (code == ErrorCode::MissingShard) {
            message.actions.push_back(
                {tr("Locate…"), [this, source] { Q_EMIT locateRequested(source); }});
        }
        message.actions.push_back(
            {tr("Show Shards"), [this, source] { Q_EMIT shardsRequested(source); }});
        if (code == ErrorCode::MissingShard) { // to be copied there by hand
            message.actions.push_back(
                {tr("Open Folder"), [this, source] { Q_EMIT openFolderRequested(source); }});
        }
        [[fallthrough]];
    default:
        message.actions.push_back(
            {text::remedy(code) == text::Remedy::Retry ? tr("Retry") : tr("Refresh"),
             [this] { Q_EMIT refreshRequested(); }});
    }
    show(std::move(message));
}

} // namespace cairn::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/jobs/header_edit/header_edit.h"

#include <QString>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::ui {

/// The user's changes to a file's header. A plain value; texts as typed.
struct HeaderDraft {
    std::string rename; ///< rules with `;` between; see NameRules
    std::vector<std::pair<std::string, std::string>> set;
    std::vector<std::string> unset;
    bool keepBackup = false;
};

using HeaderEditPlanPtr = std::shared_ptr<const HeaderEditPlan>;

/// Fails: InvalidArgument for rules that cannot be read.
Result<HeaderChanges> changesOf(const HeaderDraft& draft);
HeaderEditOptions optionsOf(const HeaderDraft& draft);

/// The arguments of the equivalent cairn-cli command; see editCommand().
Result<std::vector<std::string>> commandOf(const std::filesystem::path& file,
                                           const HeaderDraft& draft);

/// A text from a file, shortened for one line of a list.
QString lineOf(std::string_view text);

} // namespace cairn::ui

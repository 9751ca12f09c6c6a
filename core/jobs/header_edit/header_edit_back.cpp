// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/header_edit/header_edit.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace cairn {
namespace {

constexpr std::size_t kMostRules = 2'000; ///< each is tried with each name

/// A regular expression that matches exactly this name.
std::string expressionOf(std::string_view name) {
    std::string expression = "re:^";
    for (const char c : name) {
        const bool isPlain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                             (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80) != 0;
        if (!isPlain) {
            expression += '\\';
        }
        expression += c;
    }
    return expression + '$';
}

bool canBeInRule(std::string_view name) {
    return !name.empty() && name.find_first_of("=;#$\\\n\r") == std::string_view::npos &&
           name.front() != ' ' && name.back() != ' ';
}

} // namespace

Result<HeaderChanges> changesBack(const HeaderEditPlan& plan) {
    HeaderChanges changes;
    const auto& renamed = plan.edited.renamed;
    const bool canWrite =
        renamed.size() <= kMostRules && std::ranges::all_of(renamed, [](const RenamedTensor& each) {
            return canBeInRule(each.from) && canBeInRule(each.to);
        });
    if (!canWrite) {
        return fail(ErrorCode::Unsupported, "No rule can write these names back")
            .inFile((plan.folder / plan.name).string());
    }
    for (const RenamedTensor& each : renamed) {
        changes.renameText +=
            (changes.renameText.empty() ? "" : ";") + expressionOf(each.to) + "=" + each.from;
    }
    CAIRN_TRY(changes.rename, NameRules::parse(changes.renameText));
    for (const MetadataChange& each : plan.edited.metadata) {
        if (each.before) {
            changes.set.emplace_back(each.key, *each.before);
        } else {
            changes.unset.push_back(each.key);
        }
    }
    return changes;
}

} // namespace cairn

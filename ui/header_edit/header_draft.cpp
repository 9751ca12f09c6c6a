// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/header_edit/header_draft.h"

#include "core/jobs/header_edit/edit_command.h"
#include "ui/text/plain_text.h"

namespace cairn::ui {
namespace {

constexpr std::size_t kMaxBytes = 400; ///< wider than any column

} // namespace

Result<HeaderChanges> changesOf(const HeaderDraft& draft) {
    CAIRN_TRY(NameRules rules, NameRules::parse(draft.rename));
    return HeaderChanges{std::move(rules), draft.rename, draft.set, draft.unset};
}

HeaderEditOptions optionsOf(const HeaderDraft& draft) {
    return {.force = false, .keepBackup = draft.keepBackup};
}

Result<std::vector<std::string>> commandOf(const std::filesystem::path& file,
                                           const HeaderDraft& draft) {
    CAIRN_TRY(const HeaderChanges changes, changesOf(draft));
    return editCommand(file, changes, optionsOf(draft), EditRun::Apply);
}

QString lineOf(std::string_view text) {
    if (text.size() <= kMaxBytes) {
        return text::fromCore(text);
    }
    std::size_t end = kMaxBytes;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
        --end; // not within a character
    }
    return text::fromCore(text.substr(0, end)) + QStringLiteral("…");
}

} // namespace cairn::ui

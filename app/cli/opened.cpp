// SPDX-License-Identifier: Apache-2.0
#include "app/cli/opened.h"

#include "core/base/glob.h"
#include "core/base/visible_text.h"
#include "core/formats/format.h"
#include "core/runs/scan/open_named.h"

#include <algorithm>
#include <map>

namespace cairn::cli {
namespace {

bool isAtOrBelow(std::string_view name, std::string_view member) {
    return name.starts_with(member) && (name.size() == member.size() || name[member.size()] == '.');
}

Error noSuchTensor(std::string_view name) {
    return fail(ErrorCode::TensorNotFound, "No such tensor")
        .inTensor(std::string(name))
        .withHint("`cairn-cli ls PATH` lists the names");
}

template <class Key>
std::vector<std::pair<Key, std::uint64_t>> mostFirst(const std::map<Key, std::uint64_t>& sums) {
    std::vector<std::pair<Key, std::uint64_t>> sorted(sums.begin(), sums.end());
    std::ranges::stable_sort(sorted,
                             [](const auto& a, const auto& b) { return a.second > b.second; });
    return sorted;
}

} // namespace

Result<Opened> openPath(std::string_view text, const CancelToken& cancel) {
    MemberPath split = splitMember(text);
    CAIRN_TRY(NamedCheckpoint named, openNamed(split.location, cancel));
    Opened opened{std::move(named.checkpoint), named.path.string(),
                  named.chosenFrom.string(),   named.candidates,
                  std::move(split.member),     {},
                  named.newestIsDamaged};
    const auto tensors = opened.checkpoint->tensors();
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        if (opened.member.empty() || isAtOrBelow(tensors[i].name, opened.member)) {
            opened.tensors.emplace_back(i);
        }
    }
    CAIRN_CHECK(checkPart(*opened.checkpoint, opened.member, cancel));
    return opened;
}

Result<void> selectByGlob(Opened& opened, const std::optional<std::string>& glob,
                          const Checkpoint& other) {
    if (!glob) {
        return {};
    }
    CAIRN_TRY(const Glob matcher, Glob::parse(*glob));
    const auto isWanted = [&](const std::string& name) {
        return matcher.matches(name) || name == *glob;
    };
    std::erase_if(opened.tensors, [&](TensorIndex index) {
        return !isWanted(opened.checkpoint->tensor(index).name) &&
               !isWanted(other.tensor(index).name);
    });
    if (opened.tensors.empty()) {
        return fail(ErrorCode::TensorNotFound, "No matching tensor")
            .inFile(opened.path)
            .butFound(verbatim(*glob))
            .withHint("`cairn-cli ls PATH` lists the names");
    }
    return {};
}

Result<Opened> openFirst(const Arguments& arguments, const CancelToken& cancel) {
    CAIRN_TRY(Opened opened, openPath(arguments.at(0), cancel));
    if (opened.tensors.empty() && opened.checkpoint->completeness() == Completeness::Incomplete) {
        const auto why = opened.checkpoint->why();
        return fail(ErrorCode::MissingShard, "The incomplete checkpoint contains no tensors")
            .inFile(opened.path)
            .butFound(why.empty() ? Sentence() : why.front());
    }
    return opened;
}

Result<Opened> openSelected(const Arguments& arguments, const CancelToken& cancel) {
    CAIRN_TRY(Opened opened, openFirst(arguments, cancel));
    CAIRN_CHECK(selectByGlob(opened, arguments.text("tensor"), *opened.checkpoint));
    return opened;
}

bool coversAll(const Checkpoint& checkpoint, std::string_view path,
               const std::optional<std::string>& glob, const Session& session) {
    for (const Notice& notice : checkpoint.notices()) { // of openNamed(): a newer one is damaged
        if (notice.severity == Severity::Warning &&
            notice.error.code == ErrorCode::NotACheckpoint) {
            session.message("cairn-cli: " + visibleText(notice.error.message.text()));
        }
    }
    if (checkpoint.completeness() != Completeness::Incomplete || (glob && checkpoint.find(*glob))) {
        return true;
    }
    std::string text = "cairn-cli: " + visibleText(path) + " is incomplete";
    if (!checkpoint.why().empty()) {
        text += ": " + visibleText(checkpoint.why().front().text());
    }
    session.message(text + "; the result covers only the existing part");
    return false;
}

Result<TensorIndex> findTensor(const Opened& opened, const std::optional<std::string>& name) {
    if (!name && opened.tensors.size() == 1) {
        return opened.tensors.front();
    }
    const std::string wanted = name ? *name : opened.member;
    if (wanted.empty() && !name) {
        return fail(ErrorCode::InvalidArgument, "No tensor was specified")
            .withHint("Use --tensor NAME");
    }
    if (const auto found = opened.checkpoint->find(wanted)) {
        return *found;
    }
    if (const auto below = opened.checkpoint->find(opened.member + "." + wanted);
        below && !opened.whole()) {
        return *below;
    }
    return noSuchTensor(wanted).inFile(opened.path);
}

Totals totalsOf(const Opened& opened) {
    Totals result = totals(*opened.checkpoint);
    if (opened.tensors.size() == opened.checkpoint->tensors().size()) {
        return result;
    }
    std::map<Dtype, std::uint64_t> byDtype;
    std::map<Role, std::uint64_t> byRole;
    result.tensors = opened.tensors.size();
    result.bytes = 0;
    for (const TensorIndex index : opened.tensors) {
        const TensorEntry& tensor = opened.checkpoint->tensor(index);
        const std::uint64_t bytes = tensor.aliasOf ? 0 : tensor.bytes();
        result.bytes += bytes;
        byDtype[tensor.dtype] += bytes;
        byRole[tensor.role] += bytes;
    }
    result.byDtype = mostFirst(byDtype);
    result.byRole = mostFirst(byRole);
    return result;
}

} // namespace cairn::cli

// SPDX-License-Identifier: Apache-2.0
#include "core/formats/numpy_shards/member_files.h"

#include "core/base/counted.h"
#include "core/formats/common/members/file_data.h"
#include "core/formats/common/members/folder_notices.h"

#include <algorithm>
#include <iterator>

namespace cairn::formats::numpy_shards {

Result<void> MemberFiles::open(const FolderChoice& choice) {
    m_members.reserve(choice.files.size());
    for (const ChosenFile& chosen : choice.files) {
        CAIRN_CHECK(m_request.cancel.check());
        Member& member = m_members.emplace_back();
        member.chosen = &chosen;
        if (auto opened = openMember(member); !opened) {
            if (opened.error().code == ErrorCode::Cancelled) {
                return std::move(opened).error();
            }
            addUnreadable(member, std::move(opened).error());
        }
        m_byFile.emplace(chosen.name, m_members.size() - 1);
    }
    for (const std::string& name : choice.missing) {
        addMissing(name);
    }
    if (choice.missingCount > 0) {
        const Sentence count =
            counting(choice.missingCount, "shard is missing", "shards are missing");
        const std::string_view more = choice.missingCount > 1 ? ", …" : "";
        markIncomplete(m_data, sentence("%1: %2%3", count, choice.missing.front(), more));
    }
    if (m_opened == 0) {
        return m_firstError ? std::move(*m_firstError)
                            : fail(ErrorCode::NotACheckpoint, "All files of the set are missing")
                                  .inFile(m_request.path.string());
    }
    return {};
}

void MemberFiles::addMissing(const std::string& name) {
    addNotice(m_data, Severity::Error, missingShard(name));
    m_data.addFile(missingFile(m_request.folder, name));
}

Member* MemberFiles::named(const std::string& name) {
    const auto found = m_byFile.find(name);
    return found == m_byFile.end() ? nullptr : &m_members[found->second];
}

/// Only arrays are opened, and each file once: otherwise a folder could refer to itself endlessly.
Result<void> MemberFiles::checkName(const std::string& name) {
    if (!name.ends_with(".npy") && !name.ends_with(".npz")) {
        return fail(ErrorCode::BadIndex, "The manifest names a file that is not a NumPy array");
    }
    CAIRN_TRY(const ByteSourcePtr source, m_request.folder->openFile(name));
    const FileIdentity identity = source->identity();
    if (!m_seen.emplace(identity.device, identity.inode).second) {
        return fail(ErrorCode::BadIndex, "The manifest lists the same file twice");
    }
    return {};
}

Result<void> MemberFiles::openMember(Member& member) {
    const std::string& name = member.chosen->name;
    CAIRN_CHECK(checkName(name));
    CAIRN_TRY(const CheckpointPtr nested, m_request.openNested(name));
    member.file = FileIndex(m_data.files.size());
    const std::size_t noted = m_data.notices.size();
    append(m_data, *nested, {}, {});
    const auto isNameless = [](const Notice& notice) {
        return notice.error.code == ErrorCode::NpyUnknownDtype &&
               notice.error.where.field == "descr";
    };
    const auto fresh = m_data.notices.begin() + static_cast<std::ptrdiff_t>(noted);
    std::copy_if(fresh, m_data.notices.end(), std::back_inserter(m_nameless), isNameless);
    m_data.notices.erase(std::remove_if(fresh, m_data.notices.end(), isNameless),
                         m_data.notices.end());
    ++m_opened;
    if (nested->completeness() == Completeness::Incomplete) {
        markIncomplete(m_data, sentence("A file is damaged: %1", name));
    }
    for (TensorEntry& entry : m_data.tensors) {
        member.byName.emplace(entry.name, member.arrays.size());
        member.arrays.push_back(std::move(entry));
    }
    member.used.resize(member.arrays.size(), false);
    m_data.tensors.clear();
    return {};
}

/// Existing files that cannot be read are listed as well, so that reading their pieces fails.
void MemberFiles::addUnreadable(Member& member, Error error) {
    const std::string& name = member.chosen->name;
    member.missing = true;
    member.file = FileIndex(m_data.files.size());
    if (error.code == ErrorCode::NotFound) {
        addMissing(name);
        markIncomplete(m_data, sentence("A file that the manifest names is missing: %1", name));
        return;
    }
    CheckpointFile file;
    file.path = name;
    file.folder = m_request.folder;
    if (const auto source = m_request.folder->openFile(name)) {
        file.identity = (*source)->identity();
    }
    file.missing = true;
    m_data.addFile(std::move(file));
    markIncomplete(m_data, sentence("A file cannot be read: %1", name));
    addNotice(m_data, Severity::Error, Error(error).inFile(name));
    if (!m_firstError) {
        m_firstError = std::move(error).inFile(name);
    }
}

} // namespace cairn::formats::numpy_shards

// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/members/member_joiner.h"

#include "core/formats/common/members/folder_notices.h"
#include "core/formats/common/members/joined_metadata.h"
#include "core/model/saved_values.h"

#include <filesystem>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace cairn::formats {
namespace {

constexpr std::string_view kMetadata = "__metadata__";

bool isSafetensors(const std::filesystem::path& path) {
    return path.extension() == ".safetensors";
}

FileMetadata metadataOf(const Checkpoint& checkpoint, const Value& values) {
    FileMetadata made{checkpoint.path().filename().string(), {}};
    const Value* metadata = values.find(kMetadata);
    if (metadata != nullptr && metadata->isContainer()) {
        for (const ValueItem& item : metadata->items()) {
            made.second.emplace_back(keyText(item.key), item.value);
        }
    }
    return made;
}

Result<LoadedValues> loadValues(const std::vector<ValueItem>& documents,
                                const std::vector<MemberJoiner::Member>& members,
                                ValueRecords records, const CancelToken& cancel) {
    std::vector<ValueItem> root = documents;
    std::unordered_set<std::string> keys;
    std::vector<FileMetadata> metadata;
    std::optional<std::size_t> metadataAt; ///< where the first is
    for (const MemberJoiner::Member& member : members) {
        CAIRN_CHECK(cancel.check());
        auto values = member.checkpoint->valuesWithRecords(cancel);
        if (!values && values.error().code == ErrorCode::Cancelled) {
            return std::move(values).error();
        }
        if (!values) { // one unreadable member does not hide the others
            const std::string name = member.checkpoint->path().filename().string();
            root.push_back(
                {Value(member.key.empty() ? name : member.key), unreadableValue(values.error())});
            continue;
        }
        const bool nothing = values->value.kind() == ValueKind::Null;
        if (!nothing) {
            records += values->records;
        }
        const bool hasHeader = member.key.empty() && isSafetensors(member.checkpoint->path());
        if (hasHeader) {
            metadata.push_back(metadataOf(*member.checkpoint, values->value));
        }
        if (member.key.empty() && nothing) {
            continue; // weights without any values
        }
        Value shifted = shiftTensors(values->value, member.firstTensor);
        if (!member.key.empty() || !shifted.isContainer()) {
            root.push_back({Value(member.key), std::move(shifted)});
            continue;
        }
        for (const ValueItem& own : shifted.items()) {
            const bool fresh = keys.insert(keyText(own.key)).second;
            if (fresh && hasHeader && keyText(own.key) == kMetadata) {
                metadataAt = root.size();
            }
            if (fresh) {
                root.push_back(own);
            }
        }
    }
    if (metadataAt) {
        root[*metadataAt].value = joinedMetadata(metadata);
    }
    return LoadedValues(Value::dict(std::move(root)), records);
}

} // namespace

MemberJoiner::MemberJoiner(const OpenRequest& request, std::string format, std::string framework)
    : m_request(request) {
    m_data.format = std::move(format);
    m_data.framework = std::move(framework);
    m_data.path = request.path;
    m_data.completeness = Completeness::Complete;
}

Result<const MemberJoiner::Member*> MemberJoiner::add(const std::string& name, MemberUse use) {
    CAIRN_CHECK(m_request.cancel.check());
    return take(name, m_request.openNested(name), std::move(use));
}

Result<const MemberJoiner::Member*>
MemberJoiner::take(const std::string& name, Result<CheckpointPtr> opened, MemberUse use) {
    if (!opened) {
        CAIRN_CHECK(takeFailure(name, std::move(opened).error(), use.needed));
        return nullptr;
    }
    const Checkpoint& member = **opened;
    const std::size_t firstFile = m_data.files.size();
    const std::uint32_t firstTensor =
        append(m_data, member, use.key.empty() ? use.key : use.key + ".",
               use.isFolder ? name + "/" : std::string(), use.role);
    if (use.needed && member.completeness() == Completeness::Incomplete) {
        markIncomplete(m_data, member.why().empty()
                                   ? sentence("%1 is damaged or incomplete", name)
                                   : sentence("%1: %2", name, member.why().front()));
    }
    if (m_data.framework.empty()) {
        m_data.framework = member.framework();
    }
    m_members.push_back({std::move(use.key), std::move(*opened), firstTensor, firstFile});
    return &m_members.back();
}

void MemberJoiner::addDocument(Value key, Value value, bool compared) {
    ++(compared ? m_documentRecords.compared : m_documentRecords.unchecked);
    m_documents.push_back({std::move(key), std::move(value)});
}

Result<void> MemberJoiner::takeFailure(const std::string& name, Error error, bool needed) {
    if (error.code == ErrorCode::Cancelled) {
        return error;
    }
    // Files of several members may have the same name: the member's location distinguishes them.
    const std::string& file = error.where.file;
    if (file.empty() || name.ends_with("/" + file)) {
        error.where.file = name;
    }
    if (needed) {
        m_firstError = m_firstError ? m_firstError : error;
        markIncomplete(m_data, sentence("%1 cannot be read", name));
    }
    addNotice(m_data, needed ? Severity::Error : Severity::Warning, std::move(error));
    return {};
}

CheckpointData MemberJoiner::finish() && {
    m_data.loadValues = [documents = std::move(m_documents), members = std::move(m_members),
                         records = m_documentRecords](const CancelToken& cancel) {
        return loadValues(documents, members, records, cancel);
    };
    return std::move(m_data);
}

Result<CheckpointPtr> MemberJoiner::finishOr(Error nothing) && {
    if (m_members.empty()) {
        return m_firstError ? std::move(*m_firstError) : std::move(nothing);
    }
    return Checkpoint::make(std::move(*this).finish());
}

} // namespace cairn::formats

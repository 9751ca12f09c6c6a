// SPDX-License-Identifier: Apache-2.0
#include "core/formats/huggingface/member_adder.h"

#include "core/formats/common/members/file_data.h"
#include "core/formats/common/members/folder_notices.h"
#include "core/model/role_decision.h"

#include <utility>

namespace cairn::formats::huggingface {

Result<void> MemberAdder::add(const std::string& name, MemberUse use) {
    CAIRN_CHECK(m_request.cancel.check());
    auto nested = m_request.openNested(name);
    if (!nested) {
        return takeFailure(name, std::move(nested).error(), use.needed);
    }
    return take(name, *nested, std::move(use));
}

Result<void> MemberAdder::take(const std::string& name, const CheckpointPtr& opened,
                               MemberUse use) {
    use.isFolder = !m_request.folder->hasFile(name);
    CAIRN_TRY(const auto* member, m_joiner.take(name, opened, use));
    if (use.key.empty()) {
        keepModelRoles(member->firstTensor);
        for (std::size_t i = member->firstFile; i < m_data.files.size(); ++i) {
            m_data.files[i].role = Role::Weight;
        }
    }
    if (use.role) {
        m_states.push_back({name, std::move(use.key), opened});
    } else if (use.key.empty()) {
        m_weights.push_back({name, opened});
    }
    return {};
}

/// A weight file is the state dict of a model: names that suggest training state are modules in it.
void MemberAdder::keepModelRoles(std::size_t first) {
    for (std::size_t i = first; i < m_data.tensors.size(); ++i) {
        TensorEntry& tensor = m_data.tensors[i];
        if (tensor.roleBasis == RoleBasis::Name) {
            tensor.role = modelRole(tensor.name);
            tensor.roleBasis = RoleBasis::Structure;
        }
    }
}

Result<void> MemberAdder::takeFailure(const std::string& name, Error error, bool needed) {
    return error.code == ErrorCode::OutsideFolder
               ? std::move(error)
               : m_joiner.takeFailure(name, std::move(error), needed);
}

void MemberAdder::addFile(const std::string& name, const ByteSource* source, Role role) {
    m_data.addFile(source == nullptr ? missingFile(m_request.folder, name, role)
                                     : fileIn(m_request.folder, name, source->identity(), role));
}

void MemberAdder::addMissing(const std::string& name, std::size_t tensors) {
    Error error = missingShard(name);
    if (tensors != 0) {
        error.found = sentence("%1 tensors, according to the index", tensors);
    }
    addNotice(m_data, Severity::Error, std::move(error));
    markIncomplete(m_data, sentence("The shard %1 is missing", name));
    addFile(name, nullptr, Role::Weight);
}

std::set<std::string_view> MemberAdder::paths() const {
    std::set<std::string_view> paths;
    for (const CheckpointFile& file : m_data.files) {
        paths.insert(file.path);
    }
    return paths;
}

} // namespace cairn::formats::huggingface

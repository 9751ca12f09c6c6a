// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/folder_notices.h"
#include "core/formats/common/member_values.h"
#include "core/formats/format.h"
#include "core/formats/torch_folder/members.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

// What a training loop saves as several files of one folder: model.pt, optimizer.pt and others.
// README.md.

namespace cairn::formats::torch_folder {
namespace {

constexpr auto kGlobs = std::to_array<std::string_view>({"model.pt + optimizer.pt"});

Match probe(const Candidate& candidate) {
    return candidate.isFolder && sortMembers(candidate.entries) ? Match::Maybe : Match::No;
}

class FileJoiner {
public:
    explicit FileJoiner(const OpenRequest& request) : m_request(request) {
        m_data.format = "torch_folder";
        m_data.path = request.path;
        m_data.completeness = Completeness::Complete;
    }

    Result<CheckpointPtr> join(const Members& members) {
        CAIRN_CHECK(add(members.model, {}, std::nullopt));
        CAIRN_CHECK(noteModelKeys());
        for (const StateFile& state : members.states) {
            CAIRN_CHECK(add(state.name, freeKey(state), state.role));
        }
        if (m_nested.empty()) {
            return std::move(*m_firstError);
        }
        m_data.loadValues = memberValues({}, std::move(m_nested));
        return Checkpoint::make(std::move(m_data));
    }

private:
    /// What the model's file holds besides the model may be called as another file is.
    Result<void> noteModelKeys() {
        if (m_nested.empty()) {
            return {};
        }
        const auto values = m_nested.front().checkpoint->values(m_request.cancel);
        if (!values) { // then only its tensors have names
            return values.error().code == ErrorCode::Cancelled ? values.error() : Result<void>();
        }
        for (const ValueItem& item : values->items()) {
            m_keys.insert(keyText(item.key));
        }
        return {};
    }

    bool isFree(const std::string& key) const {
        return !m_keys.contains(key) &&
               std::ranges::none_of(m_data.tensors, [&](const TensorEntry& tensor) {
                   return tensor.name.starts_with(key) &&
                          (tensor.name.size() == key.size() || tensor.name[key.size()] == '.');
               });
    }

    /// The file's stem, where that is taken its whole name: no two files lie under one key.
    std::string freeKey(const StateFile& state) {
        std::string key = isFree(state.stem) ? state.stem : state.name;
        for (int count = 2; !isFree(key); ++count) {
            key = state.name + "@" + std::to_string(count);
        }
        m_keys.insert(key);
        return key;
    }

    /// A file that cannot be read is a notice, the others are read.
    Result<void> add(const std::string& name, const std::string& key, std::optional<Role> role) {
        CAIRN_CHECK(m_request.cancel.check());
        auto opened = m_request.openNested(name);
        if (!opened) {
            return takeFailure(name, std::move(opened).error());
        }
        const Checkpoint& file = **opened;
        const std::string prefix = key.empty() ? key : key + ".";
        const std::size_t first = m_data.files.size();
        const std::uint32_t shift = append(m_data, file, prefix, {}, role);
        for (std::size_t i = first; !role && i < m_data.files.size(); ++i) {
            m_data.files[i].role = Role::Weight; // decoded arrays are a file of their own
        }
        if (file.completeness() == Completeness::Incomplete) {
            markIncomplete(m_data, name + " is damaged or incomplete");
        }
        if (m_data.framework.empty()) {
            m_data.framework = file.framework();
        }
        const TrainingPosition position = trainingPosition(file, m_request.cancel);
        m_data.step = m_data.step ? m_data.step : position.step;
        m_data.epoch = m_data.epoch ? m_data.epoch : position.epoch;
        m_nested.push_back({key, std::move(*opened), shift});
        return {};
    }

    Result<void> takeFailure(const std::string& name, Error error) {
        if (error.code == ErrorCode::Cancelled) {
            return error;
        }
        if (error.where.file.empty()) {
            error.where.file = name;
        }
        m_firstError = m_firstError ? m_firstError : error;
        markIncomplete(m_data, name + " cannot be read");
        addNotice(m_data, Severity::Error, std::move(error));
        return {};
    }

    const OpenRequest& m_request;
    CheckpointData m_data;
    std::vector<NestedValues> m_nested;
    std::set<std::string> m_keys; ///< of the root
    std::optional<Error> m_firstError;
};

Result<CheckpointPtr> open(const OpenRequest& request) {
    const auto members = sortMembers(request.entries);
    if (!members) {
        return fail(ErrorCode::ChangedOnDisk, "The files of this folder changed")
            .inFile(request.path.string());
    }
    return FileJoiner(request).join(*members);
}

} // namespace

extern const FormatInfo kFormat;
const FormatInfo kFormat{.id = "torch_folder",
                         .title = "PyTorch files of one save (a model with its training state)",
                         .globs = kGlobs,
                         .probe = probe,
                         .open = open};

} // namespace cairn::formats::torch_folder

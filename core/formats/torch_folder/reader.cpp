// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/folder_notices.h"
#include "core/formats/common/member_values.h"
#include "core/formats/format.h"
#include "core/formats/torch_folder/members.h"

#include <algorithm>
#include <array>
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
        for (const StateFile& state : members.states) {
            CAIRN_CHECK(add(state.name, state.stem, state.role));
        }
        if (m_nested.empty()) {
            return std::move(*m_firstError);
        }
        m_data.loadValues = memberValues({}, std::move(m_nested));
        return Checkpoint::make(std::move(m_data));
    }

private:
    /// A file that cannot be read is a notice, the others are read.
    Result<void> add(const std::string& name, const std::string& key, std::optional<Role> role) {
        CAIRN_CHECK(m_request.cancel.check());
        auto opened = m_request.openNested(name);
        if (!opened) {
            return takeFailure(name, std::move(opened).error());
        }
        const Checkpoint& file = **opened;
        const std::string prefix = key.empty() ? key : key + ".";
        const std::uint32_t shift = append(m_data, file, prefix, {}, role);
        if (!role) {
            m_data.files.back().role = Role::Weight;
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

// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/formats/common/members/folder_notices.h"
#include "core/formats/common/members/member_joiner.h"
#include "core/formats/common/members/step_agreement.h"
#include "core/formats/format.h"
#include "core/formats/torch_folder/members.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <utility>

// Training loops that save several files to one folder: model.pt, optimizer.pt and others.
// README.md.

namespace cairn::formats::torch_folder {
namespace {

constexpr auto kGlobs = std::to_array<std::string_view>({"model.pt + optimizer.pt"});

constexpr std::uint64_t kMaxMeta = std::uint64_t{1} << 20U;
constexpr std::uint64_t kMaxCounter = 256;
constexpr std::string_view kEpochCounter = "counter"; ///< speechbrain/utils/epoch_loop.py

/// A number, if the complete text is one.
Value scalarOf(std::string_view text) {
    std::int64_t whole = 0;
    double real = 0;
    const char* end = text.data() + text.size();
    if (const auto read = std::from_chars(text.data(), end, whole);
        read.ec == std::errc() && read.ptr == end) {
        return Value(whole);
    }
    if (const auto read = std::from_chars(text.data(), end, real);
        read.ec == std::errc() && read.ptr == end) {
        return Value(real);
    }
    return Value(text);
}

Match probe(const Candidate& candidate) {
    return candidate.isFolder && sortMembers(candidate.entries) ? Match::Maybe : Match::No;
}

class FileJoiner {
public:
    explicit FileJoiner(const OpenRequest& request)
        : m_request(request), m_joiner(request, "torch_folder"), m_data(m_joiner.data()) {}

    Result<CheckpointPtr> join(Members members) {
        if (members.evidence == Evidence::SpeechBrain) {
            CAIRN_CHECK(addMeta());
        } else if (members.evidence == Evidence::OlmoCore) {
            CAIRN_TRY(members.states, statesOfTrain());
        }
        if (!members.model.empty()) {
            CAIRN_CHECK(add(members.model,
                            {.key = {}, .isFolder = members.evidence == Evidence::OlmoCore}));
        }
        CAIRN_CHECK(noteModelKeys());
        for (const StateFile& state : members.states) {
            if (members.evidence != Evidence::SpeechBrain || !addText(state)) {
                CAIRN_CHECK(add(state.name, {.key = freeKey(state), .role = state.role}));
            }
        }
        compareSteps();
        m_data.framework = members.evidence == Evidence::SpeechBrain ? "speechbrain"
                           : members.evidence == Evidence::OlmoCore  ? "olmo-core"
                                                                     : m_data.framework;
        return std::move(m_joiner).finishOr(
            fail(ErrorCode::NotACheckpoint, "No file in this folder contains tensors")
                .inFile(m_request.path.string()));
    }

private:
    /// The states of all ranks, in a folder beside the model's.
    Result<std::vector<StateFile>> statesOfTrain() {
        CAIRN_TRY(const FolderPtr folder, m_request.folder->openFolder(kOlmoTrain));
        CAIRN_TRY(const auto entries, folder->list());
        auto states = ranksOfTrain(entries);
        if (states.empty()) {
            CAIRN_CHECK(m_joiner.takeFailure(
                std::string(kOlmoTrain),
                fail(ErrorCode::MissingShard, "The training state of the ranks is missing")
                    .expecting("rank0.pt and so on")));
        }
        return states;
    }

    std::optional<std::string> textOf(std::string_view name, std::uint64_t limit) const {
        const auto source = m_request.folder->openFile(name);
        if (!source || (*source)->size() > limit) {
            return std::nullopt;
        }
        const auto bytes = readRange(**source, {0, (*source)->size()});
        return bytes ? std::optional(std::string(asText(*bytes))) : std::nullopt;
    }

    /// Reads the metadata that the caller added to the save: lines of "WER: 2.5", and always
    /// unixtime and end-of-epoch.
    Result<void> addMeta() {
        const auto text = textOf(kSpeechBrainMeta, kMaxMeta);
        if (!text || !text->ends_with('\n') || text->find("unixtime:") == std::string::npos) {
            return m_joiner.takeFailure(
                std::string(kSpeechBrainMeta),
                fail(ErrorCode::Truncated, "The record of the save is incomplete")
                    .butFound(text ? sentence("%1 bytes", text->size()) : "nothing readable")
                    .expecting("lines of names and values, unixtime among them"));
        }
        std::vector<ValueItem> items;
        for (std::size_t begin = 0; begin < text->size();) {
            const std::size_t end = text->find('\n', begin);
            const std::string_view line = std::string_view(*text).substr(begin, end - begin);
            const std::size_t colon = line.find(": ");
            if (colon != std::string_view::npos && !line.starts_with(' ') &&
                !line.starts_with('#')) {
                items.push_back({Value(line.substr(0, colon)), scalarOf(line.substr(colon + 2))});
            }
            begin = end + 1;
        }
        m_keys.insert(std::string(kSpeechBrainMeta));
        m_joiner.addDocument(Value(kSpeechBrainMeta), Value::dict(std::move(items)));
        return {};
    }

    /// Checks that numbers recorded in several files agree, and that no scheduler has stepped more
    /// often than its optimizer while the learning rates differ.
    void compareSteps() {
        const MemberJoiner::Member* optimizer = nullptr;
        const MemberJoiner::Member* scheduler = nullptr;
        std::map<std::string_view, StepAgreement> counts;
        for (const auto& member : m_joiner.members()) {
            const auto values = member.checkpoint->values(m_request.cancel);
            const std::string& name = m_data.files[member.firstFile].path;
            for (const std::string_view key :
                 {"global_step", "iteration"}) { // but not a sampler's "step"
                const Value* recorded = values ? values->find(key) : nullptr;
                const std::int64_t* count = recorded != nullptr ? recorded->asInt() : nullptr;
                if (count != nullptr) {
                    counts[key].add(name, std::string(key), *count);
                }
            }
            optimizer = member.key == "optimizer" ? &member : optimizer;
            scheduler =
                member.key == "scheduler" || member.key == "lr_scheduler" ? &member : scheduler;
        }
        const bool agree = std::ranges::all_of(
            counts, [&](const auto& each) { return each.second.report(m_data); });
        if (!agree || optimizer == nullptr || scheduler == nullptr) {
            return;
        }
        const auto schedule = scheduler->checkpoint->values(m_request.cancel);
        const auto state = optimizer->checkpoint->values(m_request.cancel);
        if (state && schedule) {
            compareSchedule(m_data,
                            {m_data.files[optimizer->firstFile].path,
                             optimizerStep(*optimizer->checkpoint, m_request.cancel),
                             optimizerRates(*state), m_data.files[scheduler->firstFile].path,
                             schedulerCount(*schedule), schedulerRates(*schedule)});
        }
    }

    /// Adds a counter, which is saved as digits. False: other content.
    bool addText(const StateFile& state) {
        const auto text = textOf(state.name, kMaxCounter);
        Value value = scalarOf(text.value_or(""));
        if (value.asString() != nullptr) {
            return false;
        }
        if (state.stem == kEpochCounter && !m_data.epoch) {
            m_data.epoch = numberOf(value);
        }
        m_joiner.addDocument(Value(freeKey(state)), std::move(value));
        return true;
    }

    /// Values in the model's file besides the model may have the same keys as other files.
    Result<void> noteModelKeys() {
        if (m_joiner.members().empty()) {
            return {};
        }
        const auto values = m_joiner.members().front().checkpoint->values(m_request.cancel);
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

    /// The file's stem, or its complete name if the stem is already used, so that keys are unique.
    std::string freeKey(const StateFile& state) {
        std::string key = isFree(state.stem) ? state.stem : state.name;
        for (int count = 2; !isFree(key); ++count) {
            key = state.name + "@" + std::to_string(count);
        }
        m_keys.insert(key);
        return key;
    }

    Result<void> add(const std::string& name, MemberUse use) {
        const bool weights = !use.role;
        CAIRN_TRY(const auto* member, m_joiner.add(name, std::move(use)));
        if (member == nullptr) {
            return {};
        }
        for (std::size_t i = member->firstFile; weights && i < m_data.files.size(); ++i) {
            m_data.files[i].role = Role::Weight; // decoded arrays are a separate file
        }
        const TrainingPosition position = trainingPosition(*member->checkpoint, m_request.cancel);
        m_data.step = m_data.step ? m_data.step : position.step;
        m_data.epoch = m_data.epoch ? m_data.epoch : position.epoch;
        return {};
    }

    const OpenRequest& m_request;
    MemberJoiner m_joiner;
    CheckpointData& m_data;       ///< belongs to the joiner
    std::set<std::string> m_keys; ///< keys of the root
};

Result<CheckpointPtr> open(const OpenRequest& request) {
    auto members = sortMembers(request.entries);
    if (!members) {
        return fail(ErrorCode::ChangedOnDisk, "The files of this folder changed")
            .inFile(request.path.string());
    }
    return FileJoiner(request).join(std::move(*members));
}

} // namespace

extern const FormatInfo kFormat;
const FormatInfo kFormat{.id = "torch_folder",
                         .title = "PyTorch files of one save (a model with its training state)",
                         .globs = kGlobs,
                         .probe = probe,
                         .open = open,
                         .folderIsRun = true};

} // namespace cairn::formats::torch_folder

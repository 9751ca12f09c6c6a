// SPDX-License-Identifier: Apache-2.0
//
// From what each rank saved for itself to complete tensors.
//
// A rank's file is opened by the torch reader, which gives local tensors and a tree of values in
// which a DTensor or ShardedTensor is an object around them. The tree is walked: such an object
// states where in the complete tensor its local elements belong, so that the local pieces become
// pieces of the whole one, moved to their box. Ranks that replicate a box give it once. The walk
// also makes the tree again with the complete tensor in the object's place; the first rank's is
// kept as the checkpoint's values.
//
// A plain tensor is every rank's own. Where all hold the same bytes, and it is not a state of a
// random generator, it is one that all have (a buffer, a step), and the first rank's is shown; else
// each is shown under its rank's name. Nothing is merged by guess: a missing rank leaves a hole.
#include "core/formats/ranks/set_joiner.h"

#include "core/formats/common/members/file_data.h"
#include "core/formats/common/members/folder_notices.h"
#include "core/formats/common/members/rank_member.h"
#include "core/formats/common/members/shared_counts.h"
#include "core/formats/common/members/step_agreement.h"
#include "core/formats/ranks/placed_values.h"
#include "core/formats/ranks/plain_tensors.h"
#include "core/formats/ranks/sharded_objects.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace cairn::formats::ranks {
namespace {

constexpr std::string_view kFlatParameter = "_flat_param"; ///< torch.distributed.fsdp
constexpr std::size_t kMaxNotices = 20;                    ///< of each kind
constexpr std::size_t kMostMissing = 4096;                 ///< listed by name

/// A tensor while it is being merged.
struct Joined {
    TensorEntry entry;
    std::set<std::string> boxes; ///< boxes found so far: ranks may replicate each other
    std::string aliasOf;         ///< name
};

/// Merges one set of files.
class SetJoiner {
public:
    SetJoiner(CheckpointData& data, const OpenRequest& request, const RankSet& set,
              std::string prefix)
        : m_data(data), m_request(request), m_set(set), m_prefix(std::move(prefix)),
          m_plain(data, set.files.size() == 1) {}

    Result<void> read() {
        std::uint32_t next = 0;
        for (const RankFile& file : m_set.files) {
            CAIRN_CHECK(m_request.cancel.check());
            missingRanks(next, std::max(next, file.rank));
            next = file.rank + 1;
            CAIRN_CHECK(readRank(file));
        }
        missingRanks(next, std::max(next, m_set.ranks()));
        for (std::string& name : m_set.missingPieces()) {
            missing(std::move(name));
        }
        for (const std::string& stray : m_set.strays) {
            note(Severity::Warning,
                 fail(ErrorCode::StrayFile, "The rank in the file's name is out of range")
                     .inFile(stray)
                     .expecting(sentence("a rank below %1", m_set.ranks())));
        }
        if (!m_firstMissing.empty()) {
            const std::string others =
                m_missing > 1 ? " and " + std::to_string(m_missing - 1) + " more" : "";
            markIncomplete(m_data,
                           sentence("Files of ranks are missing: %1%2", m_firstMissing, others));
        }
        return {};
    }

    /// All ranks save at the same time, so these counts must be equal in all files of a kind.
    void compareSteps() {
        for (const StepAgreement& counts : {m_steps, m_updates, m_schedule}) {
            if (!counts.report(m_data)) {
                return; // the others have the same
            }
        }
        m_counts.report(m_data);
    }

    /// Adds the tensors to the checkpoint; returns the values with references to them.
    Value finish() {
        TensorPlaces places;
        std::map<std::uint32_t, std::vector<ValueItem>> ofRanks;
        for (const auto& [name, plain] : m_order) {
            if (!plain) {
                Joined& joined = m_joined.at(name);
                add(std::move(joined.entry), name, joined.aliasOf, places);
                continue;
            }
            for (PlainTensor& shown : m_plain.take(name, m_opened)) {
                const std::string own = shown.entry.name;
                if (own != name) {
                    ofRanks[shown.rank].push_back(
                        {Value(name), Value(TensorIndex(m_data.tensors.size()))});
                }
                add(std::move(shown.entry), own, shown.aliasOf, places);
            }
        }
        m_plain.report(m_data, m_prefix);
        return withRanks(withPlaces(m_values, places), std::move(ofRanks));
    }

    /// The files of all ranks exist and are readable.
    [[nodiscard]] bool whole() const { return m_missing == 0 && m_read == m_set.files.size(); }
    [[nodiscard]] std::size_t opened() const { return m_opened; }
    [[nodiscard]] const ValueRecords& records() const { return m_records; }
    [[nodiscard]] const std::optional<Error>& firstError() const { return m_firstError; }
    [[nodiscard]] std::optional<std::int64_t> updates() const { return m_firstUpdates; }

private:
    /// `aliasOf`: the name of a tensor; ignored if it does not exist yet.
    void add(TensorEntry entry, const std::string& name, const std::string& aliasOf,
             TensorPlaces& places) {
        const auto alias = places.find(aliasOf);
        if (!aliasOf.empty() && alias != places.end()) {
            entry.aliasOf = alias->second;
        }
        places.emplace(name, TensorIndex(m_data.tensors.size()));
        if (name.ends_with(kFlatParameter)) {
            note(Severity::Info,
                 fail(ErrorCode::ShardsNotJoined,
                      "The FSDP flat parameter is shown flat: the files do not contain the names "
                      "and shapes of its parameters")
                     .inTensor(m_prefix + name)
                     .withHint("Save with SHARDED_STATE_DICT or FULL_STATE_DICT instead"));
        }
        entry.name = m_prefix + entry.name;
        m_data.tensors.push_back(std::move(entry));
    }

    void note(Severity severity, Error error) {
        if (m_notices[error.code]++ < kMaxNotices) {
            m_data.notices.push_back({severity, std::move(error)});
        }
    }

    /// Names only those that are reported: a file's name may claim a million ranks.
    void missingRanks(std::uint32_t begin, std::uint32_t end) {
        const std::size_t reported =
            std::min<std::size_t>(end - begin, kMostMissing - std::min(m_missing, kMostMissing));
        for (std::uint32_t rank = begin; rank < begin + reported; ++rank) {
            missing(m_set.nameOf(rank));
        }
        m_missing += end - begin - reported;
    }

    void missing(std::string name) {
        if (m_missing++ >= kMostMissing) {
            return; // only counted: beyond this many the world size is probably wrong
        }
        m_firstMissing = m_firstMissing.empty() ? name : m_firstMissing;
        m_data.completeness = Completeness::Incomplete;
        note(Severity::Error, fail(ErrorCode::MissingShard, "A rank's file is missing")
                                  .inFile(name)
                                  .withHint("Copy the files of all ranks into this folder"));
        m_data.addFile(missingFile(m_request.folder, std::move(name)));
    }

    Result<void> readRank(const RankFile& file) {
        const std::size_t noticesBefore = m_data.notices.size();
        auto member = openMember(m_request, file.name, m_data, std::nullopt);
        if (!member) {
            if (member.error().code == ErrorCode::Cancelled) {
                return member.error();
            }
            m_firstError = m_firstError ? m_firstError : std::optional(member.error());
            note(Severity::Error, member.error());
            markIncomplete(m_data, "Files of ranks cannot be read");
            return {};
        }
        ++m_read;
        m_opened += m_opened > 0 && m_rank == file.rank ? 0 : 1; // else another file of this rank
        m_rank = file.rank;
        const Checkpoint& own = *member->checkpoint;
        if (!isOwnKind(m_set.kind)) {
            m_steps.add(file.name, "step", trainingPosition(own, m_request.cancel).step);
            if (const auto values = own.values(m_request.cancel)) {
                m_counts.add(file.name, own, *values);
            }
        }
        const auto updates = optimizerStep(own, m_request.cancel);
        m_updates.add(file.name, "state.step", updates);
        m_firstUpdates = m_read == 1 ? updates : m_firstUpdates;
        m_schedule.add(file.name, "last_epoch", schedulerCount(member->root));
        // Each file contains only parts: the holes in it are filled by merging.
        m_data.notices.erase(
            std::remove_if(
                m_data.notices.begin() + static_cast<std::ptrdiff_t>(noticesBefore),
                m_data.notices.end(),
                [](const Notice& notice) { return notice.error.code == ErrorCode::CoverageHole; }),
            m_data.notices.end());
        m_local = std::move(member->tensors);
        m_done.clear();
        m_sharded.clear();
        Value walked = walk(member->root, "");
        addOwn();
        if (m_read == 1) {
            m_values = std::move(walked);
            m_records = member->records;
        }
        return {};
    }

    /// Returns the value with each distributed tensor replaced by a placeholder() for the complete
    /// tensor.
    Value walk(const Value& value, const std::string& path) {
        if (const TensorIndex* tensor = value.asTensor()) {
            return placeholder(m_local.at(tensor->position()).name);
        }
        const ValueNode* node = value.asNode();
        if (node == nullptr) {
            return value;
        }
        if (const auto known = m_done.find(node); known != m_done.end()) {
            return known->second;
        }
        if (auto object = readShardedObject(value, m_rank)) {
            return m_done.emplace(node, join(value, std::move(*object), path)).first->second;
        }
        ValueNode copy{node->kind, node->className, {}};
        std::size_t position = 0;
        for (const ValueItem& item : node->items) {
            const bool keyed = item.key.kind() != ValueKind::Null;
            const std::string part = keyed ? keyText(item.key) : std::to_string(position);
            ++position;
            copy.items.push_back(
                {item.key, walk(item.value, path.empty() ? part : path + "." + part)});
        }
        return m_done.emplace(node, Value::container(std::move(copy))).first->second;
    }

    Value join(const Value& value, Result<ShardedObject> object, const std::string& path) {
        // A DTensor's local part is already named; a ShardedTensor may have no part on this rank.
        const Value* local = value.find("local");
        const TensorIndex* index = local == nullptr ? nullptr : local->asTensor();
        const std::string name = index != nullptr ? m_local.at(index->position()).name : path;
        if (!object) {
            Error error = std::move(object).error();
            note(Severity::Error, std::move(error).inTensor(name));
            markIncomplete(m_data, "Tensors of ranks cannot be merged");
            if (index != nullptr) {
                m_sharded.insert(index->position());
            }
            return Value::object("<tensor of several ranks>", {});
        }
        for (const auto& [part, box] : object->parts) {
            m_sharded.insert(part.position());
            addPart(name, object->shape, part, box);
        }
        return placeholder(name);
    }

    void addPart(const std::string& name, const Shape& shape, TensorIndex part, const Box& box) {
        TensorEntry& local = m_local.at(part.position());
        const auto [at, isNew] = m_joined.try_emplace(name);
        Joined& joined = at->second;
        if (isNew) {
            m_order.emplace_back(name, false);
            joined.entry.name = name;
            joined.entry.dtype = local.dtype;
            joined.entry.shape = shape;
            joined.entry.role = local.role;
            if (local.aliasOf) {
                joined.aliasOf = m_local.at(local.aliasOf->position()).name;
            }
        }
        const bool same = joined.entry.dtype == local.dtype && joined.entry.shape == shape;
        if (!same || local.shape != box.extent) {
            note(Severity::Error,
                 fail(ErrorCode::TorchBadTensor, same ? Sentence("A rank's part has the wrong size")
                                                      : "Ranks recorded a tensor differently")
                     .inTensor(name)
                     .butFound(sentence("%1 %2 of %3 from rank %4", dtypeName(local.dtype),
                                        formatDims(local.shape), formatDims(shape), m_rank))
                     .expecting(sentence("%1 %2 of %3", dtypeName(joined.entry.dtype),
                                         formatDims(box.extent), formatDims(joined.entry.shape))));
            markIncomplete(m_data, "Tensors of ranks cannot be merged");
            return;
        }
        if (elementCount(box.extent) == 0 ||
            !joined.boxes.insert(formatDims(box.origin) + formatDims(box.extent)).second) {
            return;
        }
        for (Piece& piece : local.pieces) {
            for (std::size_t d = 0; d < box.origin.size(); ++d) {
                piece.box.origin[d] += box.origin[d];
            }
            joined.entry.pieces.push_back(std::move(piece));
        }
    }

    /// Adds the tensors that are not parts of distributed ones.
    void addOwn() {
        for (std::size_t i = 0; i < m_local.size(); ++i) {
            if (m_sharded.contains(i)) {
                continue;
            }
            TensorEntry own = m_local[i]; // a copy, because its name is still needed
            std::string alias = own.aliasOf ? m_local.at(own.aliasOf->position()).name : "";
            own.aliasOf.reset();
            const std::string& name = m_local[i].name;
            if (m_plain.add(name, {m_rank, std::move(own), std::move(alias)})) {
                m_order.emplace_back(name, true);
            }
        }
    }

    CheckpointData& m_data;
    const OpenRequest& m_request;
    const RankSet& m_set;
    std::string m_prefix;
    std::uint32_t m_rank = 0;
    std::size_t m_opened = 0; ///< ranks
    std::size_t m_read = 0;   ///< files
    std::size_t m_missing = 0;
    std::string m_firstMissing;
    std::optional<Error> m_firstError;
    std::map<ErrorCode, std::size_t> m_notices;
    // Of the rank that is being read.
    std::vector<TensorEntry> m_local;
    std::unordered_map<const ValueNode*, Value> m_done;
    std::set<std::size_t> m_sharded; ///< positions in m_local
    // Of all ranks.
    StepAgreement m_steps;
    StepAgreement m_updates;
    StepAgreement m_schedule;
    RankCounts m_counts;
    std::optional<std::int64_t> m_firstUpdates;
    std::map<std::string, Joined> m_joined;
    PlainTensors m_plain;
    std::vector<std::pair<std::string, bool>>
        m_order; ///< names in order of occurrence; whether plain
    Value m_values;
    ValueRecords m_records; ///< of m_values
};

} // namespace

Result<JoinedSet> joinSet(CheckpointData& data, const OpenRequest& request, const RankSet& set,
                          std::string prefix) {
    SetJoiner joiner(data, request, set, std::move(prefix));
    CAIRN_CHECK(joiner.read());
    joiner.compareSteps();
    Value values = joiner.finish();
    return JoinedSet{std::move(values), joiner.records(),    joiner.opened(),
                     joiner.whole(),    joiner.firstError(), joiner.updates()};
}

} // namespace cairn::formats::ranks

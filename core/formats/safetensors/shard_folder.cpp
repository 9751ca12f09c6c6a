// SPDX-License-Identifier: Apache-2.0
#include "core/formats/safetensors/shard_folder.h"

#include "core/codec/json/json_value.h"
#include "core/formats/common/members/fetch_heads.h"
#include "core/formats/common/members/file_data.h"
#include "core/formats/common/members/folder_notices.h"
#include "core/formats/common/members/joined_metadata.h"
#include "core/formats/safetensors/header_entries.h"
#include "core/model/names/shard_name.h"
#include "core/model/role_decision.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <iterator>
#include <map>
#include <set>
#include <unordered_map>

namespace cairn::formats::safetensors {
namespace {

constexpr std::string_view kSuffix = ".safetensors";

/// "shard-00002-model-00001-of-00003.safetensors": what rank 2 stores of file 1 of 3.
struct RankShard {
    std::uint32_t rank = 0;
    std::uint32_t index = 0;
    std::uint32_t count = 0;
};

std::optional<RankShard> rankShard(std::string_view name) {
    constexpr std::string_view kStart = "shard-";
    const std::size_t model = name.find("-model-");
    const auto parts = splitShardName(name);
    if (!name.starts_with(kStart) || model == std::string_view::npos || !parts ||
        parts->suffix != kSuffix) {
        return std::nullopt;
    }
    RankShard shard{0, parts->index, parts->count};
    const std::string_view digits = name.substr(kStart.size(), model - kStart.size());
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), shard.rank);
    return read.ec == std::errc() && read.ptr == digits.data() + digits.size()
               ? std::optional(shard)
               : std::nullopt;
}

/// Files with the same base name and count: "model", of 5.
struct ShardSet {
    std::map<std::uint32_t, std::string> files; ///< by index
    std::int64_t newest = 0;                    ///< modification time
    /// First number of the set: 0 only if there is a shard 0.
    [[nodiscard]] std::uint32_t first() const { return files.begin()->first == 0 ? 0 : 1; }
    [[nodiscard]] bool complete(std::uint32_t count) const {
        return files.size() == count && files.rbegin()->first == first() + count - 1;
    }
};

/// The files of ranks that one save wrote, by rank and number of the file.
struct RankSet {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> files;
    std::int64_t newest = 0;
};

class FolderJoiner {
public:
    explicit FolderJoiner(const OpenRequest& request) : m_request(request) {
        m_data.format = "safetensors";
        m_data.path = request.path;
        m_data.completeness = Completeness::Complete;
    }

    Result<CheckpointPtr> join() {
        const std::vector<std::string> files = chooseFiles();
        fetchHeads(*m_request.folder, files, m_request.cancel);
        for (const std::string& name : files) {
            CAIRN_CHECK(m_request.cancel.check());
            if (auto added = addShard(name); !added) {
                if (added.error().code == ErrorCode::Cancelled) {
                    return std::move(added).error();
                }
                markIncomplete(m_data, sentence("A shard cannot be read: %1", name));
                if (!m_firstError) {
                    m_firstError = added.error();
                }
                addNotice(m_data, Severity::Error, std::move(added).error());
            }
        }
        if (m_readShards == 0 && m_firstError) {
            return std::move(*m_firstError);
        }
        checkVolumes();
        decideRolesByName(m_data.tensors);
        m_data.loadValues = [values = joinedValues()](const CancelToken&) {
            return Result<LoadedValues>(values);
        };
        return Checkpoint::make(std::move(m_data));
    }

private:
    [[nodiscard]] Value joinedValues() const {
        std::vector<ValueItem> items;
        if (Value metadata = joinedMetadata(m_metadata); metadata.isContainer()) {
            items.push_back({Value("__metadata__"), std::move(metadata)});
        }
        const Value scalars = plainValues({}, m_data.tensors);
        if (scalars.isContainer()) {
            std::ranges::copy(scalars.items(), std::back_inserter(items));
        }
        return items.empty() ? Value() : Value::dict(std::move(items));
    }

    void noteStray(const std::string& name) {
        addNotice(
            m_data, Severity::Warning,
            fail(ErrorCode::StrayFile, "The file is not part of the checkpoint").inFile(name));
    }

    std::vector<std::string> chooseFiles() {
        const bool perRank = std::ranges::any_of(m_request.entries, [](const FolderEntry& entry) {
            return rankShard(entry.name).has_value();
        });
        std::map<std::uint32_t, RankSet> ranks;
        std::map<std::string, std::map<std::uint32_t, ShardSet>> bases;
        for (const FolderEntry& entry : m_request.entries) {
            const auto parts = splitShardName(entry.name);
            if (const auto shard = rankShard(entry.name)) {
                RankSet& set = ranks[shard->count];
                set.files[{shard->rank, shard->index}] = entry.name;
                set.newest = std::max(set.newest, entry.identity.mtimeNs);
            } else if (!perRank && parts && parts->suffix == kSuffix) {
                ShardSet& set = bases[std::string(parts->base)][parts->count];
                set.files[parts->index] = entry.name;
                set.newest = std::max(set.newest, entry.identity.mtimeNs);
            } else if (entry.name.ends_with(kSuffix)) {
                noteStray(entry.name);
            }
        }
        if (perRank) {
            return chooseRanks(ranks);
        }
        return bases.empty() ? std::vector<std::string>() : chooseSet(bases);
    }

    /// Saves with other numbers of files leave each other's files in the folder. The newest one is
    /// read; if they are equally old, nothing tells them apart.
    std::vector<std::string> chooseRanks(const std::map<std::uint32_t, RankSet>& sets) {
        const auto& chosen = *std::ranges::max_element(
            sets, {}, [](const auto& item) { return item.second.newest; });
        for (const auto& [count, set] : sets) {
            if (count == chosen.first) {
                continue;
            }
            const bool sameAge = set.newest == chosen.second.newest;
            if (sameAge) {
                markIncomplete(m_data, "The folder contains files of two saves of the same age");
            }
            for (const auto& [place, name] : set.files) {
                addNotice(m_data, sameAge ? Severity::Error : Severity::Warning,
                          fail(ErrorCode::StaleShard, "The shard is left over from another save")
                              .inFile(name)
                              .expecting(sentence("a set of %1", chosen.first)));
            }
        }
        noteRankHoles(chosen.first, chosen.second);
        std::vector<std::string> files;
        for (const auto& [place, name] : chosen.second.files) {
            files.push_back(name);
        }
        return files;
    }

    /// A file that no rank has is missing. Of one that some ranks have, the others' parts are taken
    /// for lost, because no file records the sizes of the tensors: a tensor would just be shorter.
    void noteRankHoles(std::uint32_t count, const RankSet& set) {
        std::set<std::uint32_t> ranks;
        std::set<std::uint32_t> indices;
        for (const auto& [place, name] : set.files) {
            ranks.insert(place.first);
            indices.insert(place.second);
        }
        constexpr std::size_t kMostNoted = 8;
        std::size_t noted = 0;
        for (std::uint32_t index = 1; index <= count && noted < kMostNoted; ++index) {
            if (!indices.contains(index)) {
                ++noted;
                addMissing(rankShardName(*ranks.begin(), index, count));
            }
        }
        for (const std::uint32_t rank : ranks) {
            for (const std::uint32_t index : indices) {
                if (set.files.contains({rank, index}) || ++noted > kMostNoted) {
                    continue;
                }
                const std::string name = rankShardName(rank, index, count);
                addNotice(m_data, Severity::Error,
                          fail(ErrorCode::ShardsNotJoined,
                               "A rank has no part of a file that others have; tensors may be "
                               "shorter than they were")
                              .inFile(name)
                              .withHint("No file records the sizes of the tensors: the rank had "
                                        "nothing to store there, or its file was lost"));
                markIncomplete(m_data, sentence("The shard %1 is missing", name));
            }
        }
    }
    static std::string rankShardName(std::uint32_t rank, std::uint32_t index, std::uint32_t count) {
        std::array<char, 80> text{};
        std::snprintf(text.data(), text.size(), "shard-%05u-model-%05u-of-%05u.safetensors", rank,
                      index, count);
        return text.data();
    }

    std::vector<std::string>
    chooseSet(const std::map<std::string, std::map<std::uint32_t, ShardSet>>& bases) {
        const auto model = bases.find("model");
        const auto& chosenBase = model != bases.end() ? *model : *bases.begin();
        const auto better = [](const auto& left, const auto& right) {
            const bool whole = left.second.complete(left.first);
            return whole != right.second.complete(right.first)
                       ? !whole
                       : left.second.newest < right.second.newest;
        };
        const auto& chosen =
            *std::max_element(chosenBase.second.begin(), chosenBase.second.end(), better);
        for (const auto& [base, counts] : bases) {
            for (const auto& [count, set] : counts) {
                if (&set == &chosen.second) {
                    continue;
                }
                for (const auto& [index, name] : set.files) {
                    if (base == chosenBase.first) {
                        addNotice(
                            m_data, Severity::Warning,
                            fail(ErrorCode::StaleShard, "The shard is left over from another save")
                                .inFile(name)
                                .expecting(sentence("a set of %1", chosen.first)));
                    } else {
                        noteStray(name);
                    }
                }
            }
        }
        std::vector<std::string> files;
        const auto like = splitShardName(chosen.second.files.begin()->second);
        const std::uint32_t end = chosen.second.first() + chosen.first;
        for (auto beyond = chosen.second.files.lower_bound(end);
             beyond != chosen.second.files.end(); ++beyond) {
            noteStray(beyond->second); // for example "-2-of-2" beside "-0-of-2"
        }
        for (std::uint32_t index = chosen.second.first(); index < end; ++index) {
            const auto found = chosen.second.files.find(index);
            if (found != chosen.second.files.end()) {
                files.push_back(found->second);
            } else {
                addMissing(shardNameOf(*like, index));
            }
        }
        return files;
    }

    void addMissing(std::string name) {
        addNotice(m_data, Severity::Error, missingShard(name));
        markIncomplete(m_data, sentence("The shard %1 is missing", name));
        m_data.addFile(missingFile(m_request.folder, std::move(name)));
    }

    Result<void> addShard(const std::string& name) {
        CAIRN_TRY(const ByteSourcePtr source, m_request.folder->openFile(name));
        const FileIndex index =
            m_data.addFile(fileIn(m_request.folder, name, source->identity(), Role::Weight));
        auto unfinished = unfinishedEdit(*m_request.folder, name);
        const auto read = readSafetensorsHeader(*source);
        if (unfinished && (!read || !read->notices.empty())) {
            return std::move(unfinished->error); // part of its data may have been moved
        }
        if (!read) {
            return read.error();
        }
        const SafetensorsHeader& header = *read;
        if (unfinished) {
            addNotice(m_data, unfinished->severity, std::move(unfinished->error));
        }
        ++m_readShards;
        for (const Notice& notice : header.notices) {
            addNotice(m_data, notice.severity, notice.error);
        }
        if (header.damaged) {
            markIncomplete(m_data, sentence("A shard is damaged: %1", name));
        }
        takeMetadata(header, name);
        const auto offsets = savedOffsets(header, name);
        CheckpointData own;
        addEntries(own, header, index);
        for (TensorEntry& tensor : own.tensors) {
            if (tensor.aliasOf) {
                continue;
            }
            const auto offset = offsets.find(tensor.name);
            addTensor(std::move(tensor), offset == offsets.end() ? nullptr : &offset->second, name);
        }
        return {};
    }

    void takeMetadata(const SafetensorsHeader& header, const std::string& name) {
        FileMetadata& own = m_metadata.emplace_back(name, FileMetadata::second_type());
        const Value values = plainValues(header.metadata, {});
        if (const Value* texts = values.find("__metadata__")) {
            for (const ValueItem& item : texts->items()) {
                own.second.emplace_back(keyText(item.key), item.value);
            }
        }
        if (m_data.framework.empty()) {
            m_data.framework = frameworkName(header.find("format"));
        }
    }

    /// `DCP_SHARDING_INFO`: {fqn: {"saved_offsets": [...]}}.
    std::unordered_map<std::string, Dims> savedOffsets(const SafetensorsHeader& header,
                                                       const std::string& name) {
        std::unordered_map<std::string, Dims> offsets;
        const std::string_view text = header.find("DCP_SHARDING_INFO");
        if (text.empty()) {
            return offsets;
        }
        const auto bad = [&](std::string_view tensor, Error error) {
            error.where.file = name;
            error.where.tensor = std::string(tensor);
            error.where.field = "DCP_SHARDING_INFO";
            addNotice(m_data, Severity::Error, std::move(error));
            markIncomplete(m_data,
                           sentence("A shard does not record the position of its parts: %1", name));
        };
        auto json = parseJson(text, name);
        if (!json || !json->asObject()) {
            bad({},
                json ? fail(ErrorCode::JsonWrongType, "The sharding information is not an object")
                     : json.error());
            return offsets;
        }
        for (const JsonMember& member : json->members()) {
            const JsonValue* list = member.value.find("saved_offsets");
            std::vector<std::int64_t> values;
            for (const JsonValue& item :
                 list == nullptr ? std::span<const JsonValue>() : list->elements()) {
                values.push_back(item.asInteger().value_or(-1));
            }
            if (list == nullptr || list->kind() != JsonKind::Array || values.size() > kMaxRank ||
                std::ranges::any_of(values, [](std::int64_t v) { return v < 0; })) {
                bad(member.key, fail(ErrorCode::SafetensorsBadOffsets,
                                     "The position of this part is not a list of offsets"));
                continue;
            }
            offsets[member.key] = Dims(values);
        }
        return offsets;
    }

    void addTensor(TensorEntry part, const Dims* offset, const std::string& file) {
        if (offset != nullptr && !moveTo(part, *offset)) {
            contradiction(part.name, file, "the position of the part does not match its shape");
            offset = nullptr;
        }
        const auto [known, fresh] = m_tensors.try_emplace(part.name, m_data.tensors.size());
        if (fresh) {
            m_data.tensors.push_back(std::move(part));
            return;
        }
        TensorEntry& whole = m_data.tensors[known->second];
        if (offset == nullptr) {
            addNotice(m_data, Severity::Error,
                      fail(ErrorCode::DuplicateTensor,
                           "Two shards contain this tensor; the first is shown")
                          .inFile(file)
                          .inTensor(part.name));
            markIncomplete(m_data, sentence("A tensor is in two shards: %1", part.name));
            return;
        }
        if (whole.dtype != part.dtype || whole.shape.size() != part.shape.size()) {
            contradiction(part.name, file,
                          "a different dtype or number of dimensions than in the other shards");
            return;
        }
        for (std::size_t d = 0; d < whole.shape.size(); ++d) {
            whole.shape[d] = std::max(whole.shape[d], part.shape[d]);
        }
        if (!part.pieces.empty()) {
            whole.pieces.push_back(std::move(part.pieces.front()));
        }
    }

    /// Turns a tensor into a part at `offset` of a larger one, whose shape is at least large enough
    /// for the part.
    static bool moveTo(TensorEntry& part, const Dims& offset) {
        if (offset.size() != part.shape.size()) {
            return false;
        }
        for (std::size_t d = 0; d < offset.size(); ++d) {
            std::int64_t end = 0;
            if (__builtin_add_overflow(offset[d], part.shape[d], &end)) {
                return false;
            }
        }
        for (std::size_t d = 0; d < offset.size(); ++d) {
            part.shape[d] += offset[d];
        }
        for (Piece& piece : part.pieces) {
            piece.box.origin = offset;
        }
        return true;
    }

    void contradiction(const std::string& tensor, const std::string& file, Sentence found) {
        addNotice(m_data, Severity::Error,
                  fail(ErrorCode::BadIndex, "The shards contradict each other about this tensor")
                      .inFile(file)
                      .inTensor(tensor)
                      .butFound(std::move(found)));
        markIncomplete(m_data, sentence("The shards contradict each other about %1", tensor));
    }

    /// Replicated parts contain the same elements: only the first file's is kept.
    static void dropReplicas(PieceList& pieces) {
        const auto before = [](const Piece& left, const Piece& right) {
            return std::ranges::lexicographical_compare(left.box.origin.span(),
                                                        right.box.origin.span());
        };
        std::ranges::stable_sort(pieces, before);
        const auto sameBox = [](const Piece& left, const Piece& right) {
            return left.box == right.box;
        };
        pieces.truncate(static_cast<std::size_t>(
            std::unique(pieces.begin(), pieces.end(), sameBox) - pieces.begin()));
    }

    /// A missing rank is detected because the parts of a tensor do not add up.
    void checkVolumes() {
        for (TensorEntry& tensor : m_data.tensors) {
            if (tensor.pieces.size() > 1) {
                dropReplicas(tensor.pieces);
            }
            if (tensor.pieces.size() > 1) {
                checkVolume(m_data, tensor);
            }
        }
    }

    const OpenRequest& m_request;
    CheckpointData m_data;
    std::unordered_map<std::string, std::size_t> m_tensors;
    std::vector<FileMetadata> m_metadata;
    std::optional<Error> m_firstError;
    std::size_t m_readShards = 0;
};

} // namespace

bool hasShards(const Candidate& folder) {
    return std::ranges::any_of(folder.entries, [](const FolderEntry& entry) {
        const auto parts = splitShardName(entry.name);
        return parts && parts->suffix == kSuffix;
    });
}

Result<CheckpointPtr> openShardFolder(const OpenRequest& request) {
    return FolderJoiner(request).join();
}

} // namespace cairn::formats::safetensors

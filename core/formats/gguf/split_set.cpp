// SPDX-License-Identifier: Apache-2.0
#include "core/formats/gguf/split_set.h"

#include "core/formats/common/members/file_data.h"
#include "core/formats/common/members/folder_notices.h"
#include "core/formats/gguf/tensor_table.h"
#include "core/model/names/shard_name.h"

#include <algorithm>
#include <map>
#include <utility>

namespace cairn::formats::gguf {
namespace {

constexpr std::string_view kSuffix = ".gguf";
constexpr std::uint64_t kMaxSplits = 2000;

bool isSplitName(std::string_view name) {
    const auto parts = splitShardName(name);
    return parts && parts->suffix == kSuffix;
}

/// Files with the same base name and count.
struct SplitSet {
    std::map<std::uint32_t, std::string> files; ///< by number, from 1
    std::uint32_t count = 0;
    std::int64_t newest = 0;
    [[nodiscard]] bool complete() const {
        return files.size() == count && files.begin()->first == 1;
    }
};

/// Joins the files of one model into CheckpointData. Not thread-safe; use it once.
class Joiner {
public:
    explicit Joiner(const OpenRequest& request) : m_request(request) {
        m_data.format = "gguf";
        m_data.path = request.path;
        m_data.completeness = Completeness::Complete;
    }

    Result<CheckpointPtr> openFile() {
        CAIRN_TRY(const Header header, headerOf(m_request.name));
        if (header.splitCount.value_or(1) <= 1) {
            CAIRN_CHECK(addFile(m_request.name));
        } else {
            CAIRN_CHECK(addSiblings(*header.splitCount));
        }
        return finish();
    }

    Result<CheckpointPtr> openFolder() {
        std::vector<SplitSet> sets = setsOf(m_request.entries);
        const auto better = [](const SplitSet& left, const SplitSet& right) {
            return std::pair(left.complete(), left.newest) <
                   std::pair(right.complete(), right.newest);
        };
        const auto chosen = std::max_element(sets.begin(), sets.end(), better);
        if (chosen == sets.end()) {
            return fail(ErrorCode::NotACheckpoint,
                        "The folder does not contain parts of a split model");
        }
        for (const SplitSet& set : sets) {
            if (&set != &*chosen) {
                noteOthers(set);
            }
        }
        CAIRN_CHECK(addSet(*chosen));
        return finish();
    }

private:
    static std::vector<SplitSet> setsOf(std::span<const FolderEntry> entries) {
        std::map<std::pair<std::string, std::uint32_t>, SplitSet> sets;
        for (const FolderEntry& entry : entries) {
            if (!isSplitName(entry.name)) {
                continue;
            }
            const auto parts = splitShardName(entry.name);
            SplitSet& set = sets[{std::string(parts->base), parts->count}];
            set.count = parts->count;
            set.files[parts->index] = entry.name;
            set.newest = std::max(set.newest, entry.identity.mtimeNs);
        }
        std::vector<SplitSet> list;
        for (auto& [key, set] : sets) {
            list.push_back(std::move(set));
        }
        return list;
    }

    void noteOthers(const SplitSet& set) {
        for (const auto& [number, name] : set.files) {
            addNotice(m_data, Severity::Warning,
                      fail(ErrorCode::StrayFile, "The file belongs to a different model or save")
                          .inFile(name));
        }
    }

    Result<Header> headerOf(const std::string& name) {
        CAIRN_TRY(const ByteSourcePtr source, m_request.folder->openFile(name));
        HeaderCursor cursor(source);
        return readHeader(cursor, m_request.cancel);
    }

    /// Adds the other files of the set to which `m_request.name` belongs, by its name.
    Result<void> addSiblings(std::uint64_t count) {
        const auto parts = splitShardName(m_request.name);
        if (!parts || parts->suffix != kSuffix || parts->count > kMaxSplits) {
            markIncomplete(m_data, sentence("The file is one of %1, and its name does not follow "
                                            "the pattern of a split model",
                                            count));
            addNotice(
                m_data, Severity::Error,
                fail(ErrorCode::MissingShard, "The other files of this split model cannot be found")
                    .inFile(m_request.name)
                    .inField("split.count")
                    .expecting("a name such as model-00001-of-00003.gguf"));
            CAIRN_CHECK(addFile(m_request.name));
            return {};
        }
        SplitSet set;
        set.count = parts->count;
        for (std::uint32_t number = 1; number <= parts->count; ++number) {
            set.files[number] =
                number == parts->index ? m_request.name : shardNameOf(*parts, number);
        }
        return addSet(set);
    }

    Result<void> addSet(const SplitSet& set) {
        const auto like = splitShardName(set.files.begin()->second);
        std::optional<Error> first;
        for (std::uint32_t number = 1; number <= std::min<std::uint64_t>(set.count, kMaxSplits);
             ++number) {
            CAIRN_CHECK(m_request.cancel.check());
            const auto found = set.files.find(number);
            const std::string name =
                found != set.files.end() ? found->second : shardNameOf(*like, number);
            auto header = addFile(name);
            if (header) {
                checkSplit(*header, set.count, number, name);
            } else if (header.error().code == ErrorCode::Cancelled) {
                return std::move(header).error();
            } else {
                addUnreadable(name, header.error());
                first = first ? first : std::optional(header.error());
            }
        }
        if (!m_loader && first) {
            return std::move(*first);
        }
        return {};
    }

    void addUnreadable(const std::string& name, Error error) {
        const bool missing = error.code == ErrorCode::NotFound;
        markIncomplete(m_data, missing ? sentence("The file %1 is missing", name)
                                       : sentence("A file cannot be read: %1", name));
        if (missing) {
            error = fail(ErrorCode::MissingShard, "A file of this split model is missing")
                        .inFile(name)
                        .withHint("Copy it from where the model was made");
            m_data.addFile(missingFile(m_request.folder, name));
        }
        addNotice(m_data, Severity::Error, std::move(error));
    }

    void checkSplit(const Header& header, std::uint32_t count, std::uint32_t number,
                    const std::string& name) {
        const bool agrees = header.splitCount == count && header.splitNumber == number - 1;
        if (!agrees) {
            addNotice(
                m_data, Severity::Error,
                fail(ErrorCode::StaleShard, "The part number in the file does not match its name")
                    .inFile(name)
                    .butFound(sentence("part %1 of %2", header.splitNumber.value_or(0) + 1,
                                       header.splitCount.value_or(1)))
                    .expecting(sentence("part %1 of %2", number, count)));
            markIncomplete(m_data,
                           sentence("The part number in a file does not match its name: %1", name));
        }
    }

    /// Reads the header and tensors of one file. On failure nothing is added.
    Result<Header> addFile(const std::string& name) {
        CAIRN_TRY(const ByteSourcePtr source, m_request.folder->openFile(name));
        HeaderCursor cursor(source);
        CAIRN_TRY(Header header, readHeader(cursor, m_request.cancel));
        CAIRN_TRY(TensorTable table, readTensorTable(cursor, header, FileIndex(m_data.files.size()),
                                                     m_request.cancel));
        m_data.addFile(fileIn(m_request.folder, name, source->identity(),
                              table.tensors.empty() ? Role::Weight : table.tensors.front().role));
        takeTensors(std::move(table), name);
        for (Notice& notice : header.notices) {
            addNotice(m_data, notice.severity, std::move(notice.error));
        }
        header.notices.clear();
        // The first part has the metadata; hand-made parts may each have metadata.
        if (!m_loader || header.items.size() > m_first.items.size()) {
            m_first = header;
            m_loader = valueLoader(name, source->identity(), header);
        }
        return header;
    }

    void takeTensors(TensorTable table, const std::string& name) {
        const std::size_t offset = m_data.tensors.size();
        for (TensorEntry& tensor : table.tensors) {
            if (tensor.aliasOf) {
                tensor.aliasOf = TensorIndex(tensor.aliasOf->position() + offset);
            }
        }
        if (offset == 0) {
            m_data.tensors = std::move(table.tensors);
        } else {
            std::ranges::move(table.tensors, std::back_inserter(m_data.tensors));
        }
        for (Notice& notice : table.notices) {
            addNotice(m_data, notice.severity, std::move(notice.error));
        }
        if (table.damaged) {
            markIncomplete(m_data,
                           sentence("The file violates its format; see the notices: %1", name));
        }
    }

    ValueLoader valueLoader(const std::string& name, const FileIdentity& identity,
                            const Header& header) const {
        return [folder = m_request.folder, name, identity,
                header](const CancelToken& cancel) -> Result<LoadedValues> {
            CAIRN_TRY(const ByteSourcePtr source, folder->openFile(name));
            if (!(source->identity() == identity)) {
                return fail(ErrorCode::ChangedOnDisk, "The file changed since it was opened")
                    .inFile(name);
            }
            CAIRN_TRY(Value metadata, readMetadata(source, header, cancel));
            return LoadedValues(std::move(metadata));
        };
    }

    Result<CheckpointPtr> finish() {
        if (m_first.splitTensors && *m_first.splitTensors != m_data.tensors.size() &&
            m_data.completeness == Completeness::Complete) {
            addNotice(
                m_data, Severity::Error,
                fail(ErrorCode::BadIndex, "The files' tensor count does not match the first file")
                    .inFile(m_data.files.front().path)
                    .inField("split.tensors.count")
                    .butFound(verbatim(std::to_string(m_data.tensors.size())))
                    .expecting(verbatim(std::to_string(*m_first.splitTensors))));
            markIncomplete(m_data, "The files' tensor count does not match the first file");
        }
        if (!m_first.architecture.empty()) {
            m_data.framework = "ggml/" + m_first.architecture;
        }
        m_data.loadValues = std::move(m_loader);
        return Checkpoint::make(std::move(m_data));
    }

    const OpenRequest& m_request;
    CheckpointData m_data;
    Header m_first; ///< of the file whose metadata is shown
    ValueLoader m_loader;
};

} // namespace

bool hasSplits(const Candidate& folder) {
    return std::ranges::any_of(folder.entries, [](const FolderEntry& entry) {
        return entry.kind != EntryKind::Folder && isSplitName(entry.name);
    });
}

Result<CheckpointPtr> openGguf(const OpenRequest& request) {
    return request.name.empty() ? Joiner(request).openFolder() : Joiner(request).openFile();
}

} // namespace cairn::formats::gguf

// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/zarr_arrays/array_folders.h"

#include "core/base/endian.h"

namespace cairn::formats::zarr_arrays {
namespace {

constexpr std::uint64_t kMaxMetadata = std::uint64_t{1} << 20U;
constexpr std::size_t kMaxFiles = 4'000'000;
constexpr int kMaxDepth = 70;

/// Lists folders of arrays: the same keys as in a store, one file each.
class ArrayFolders {
public:
    ArrayFolders(const FolderPtr& folder, bool (*isNoArray)(std::string_view), StoredFiles& out,
                 const CancelToken& cancel)
        : m_folder(folder), m_isNoArray(isNoArray), m_out(out), m_cancel(cancel) {}

    Result<void> read(std::span<const FolderEntry> entries) {
        CAIRN_CHECK(addFiles("", entries)); // an array at the root
        queue("", entries, 0);
        while (!m_waiting.empty()) {
            CAIRN_CHECK(m_cancel.check());
            const Waiting next = std::move(m_waiting.back());
            m_waiting.pop_back();
            auto listed = entriesOf(m_folder->openFolder(next.path));
            if (!listed) {
                m_out.damaged = true;
                m_out.notices.push_back({Severity::Error, std::move(listed).error()});
                continue;
            }
            CAIRN_CHECK(addFiles(next.path, *listed));
            queue(next.path + "/", *listed, next.depth + 1);
        }
        m_out.arrays.finish();
        return {};
    }

private:
    struct Waiting {
        std::string path;
        int depth = 0;
    };

    void queue(const std::string& prefix, std::span<const FolderEntry> entries, int depth) {
        for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
            if (entry->kind == EntryKind::Folder && depth < kMaxDepth &&
                (depth > 0 || !m_isNoArray(entry->name))) {
                m_waiting.push_back({prefix + entry->name, depth});
            }
        }
    }

    Result<void> addFiles(const std::string& path, std::span<const FolderEntry> entries) {
        for (const FolderEntry& entry : entries) {
            if (entry.kind == EntryKind::Folder) {
                continue;
            }
            const std::string key = path.empty() ? entry.name : path + "/" + entry.name;
            const ArraySet::Key kind = m_out.arrays.classify(key);
            if (kind.kind == ArraySet::Kind::Ignored || kind.kind == ArraySet::Kind::Unknown) {
                continue;
            }
            if (m_out.files.size() >= kMaxFiles) {
                return fail(ErrorCode::LimitExceeded, "The checkpoint has too many files");
            }
            if (auto added = addFile(key, kind, entry); !added) {
                if (added.error().code == ErrorCode::LimitExceeded) {
                    return added;
                }
                m_out.damaged = true;
                m_out.notices.push_back({Severity::Error, std::move(added).error()});
            }
        }
        return {};
    }

    Result<void> addFile(const std::string& key, const ArraySet::Key& kind,
                         const FolderEntry& entry) {
        const bool isChunk = kind.kind == ArraySet::Kind::Chunk;
        StoredFile file{key, entry.identity, false};
        ByteSourcePtr source;
        if (!isChunk || entry.kind != EntryKind::File) {
            CAIRN_TRY(source, m_folder->openFile(key));
            file.identity = source->identity();
        }
        const auto index = static_cast<std::uint32_t>(m_out.files.size());
        const ByteRange whole{0, file.identity.size};
        m_out.files.push_back(std::move(file));
        if (isChunk) {
            return m_out.arrays.addChunk(kind, {index, whole});
        }
        CAIRN_TRY(std::string text, readMetadataText(*source, whole));
        return m_out.arrays.setMetadata(kind, std::move(text));
    }

    const FolderPtr& m_folder;
    bool (*m_isNoArray)(std::string_view);
    StoredFiles& m_out;
    const CancelToken& m_cancel;
    std::vector<Waiting> m_waiting;
};

} // namespace

Result<std::string> readMetadataText(const ByteSource& source, ByteRange range) {
    if (range.length > kMaxMetadata) {
        return fail(ErrorCode::LimitExceeded, "The array's metadata is too long")
            .inFile(source.name())
            .butFound(sentence("%1 bytes", range.length));
    }
    CAIRN_TRY(const auto bytes, readRange(source, range));
    return std::string(asText(bytes));
}

Result<void> listArrayFolders(const FolderPtr& folder, std::span<const FolderEntry> entries,
                              bool (*isNoArray)(std::string_view), StoredFiles& out,
                              const CancelToken& cancel) {
    return ArrayFolders(folder, isNoArray, out, cancel).read(entries);
}

} // namespace cairn::formats::zarr_arrays

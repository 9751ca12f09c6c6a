// SPDX-License-Identifier: Apache-2.0
#include "core/formats/orbax/item_files.h"

#include "core/base/endian.h"
#include "core/codec/ocdbt/ocdbt.h"

#include <algorithm>
#include <array>

namespace cairn::formats::orbax {
namespace {

constexpr std::uint64_t kMaxMetadata = std::uint64_t{1} << 20U;
constexpr std::uint64_t kMaxInMemory = std::uint64_t{512} << 20U;
constexpr std::size_t kMaxFiles = 4'000'000;
constexpr int kMaxDepth = 70;

bool hasName(std::span<const FolderEntry> entries, std::string_view name) {
    return std::ranges::any_of(entries,
                               [&](const FolderEntry& entry) { return entry.name == name; });
}

Result<std::string> readText(const ByteSource& source, ByteRange range) {
    if (range.length > kMaxMetadata) {
        return fail(ErrorCode::LimitExceeded, "The array's metadata are too long")
            .inFile(source.name())
            .butFound(std::to_string(range.length) + " bytes");
    }
    CAIRN_TRY(const auto bytes, readRange(source, range));
    return std::string(asText(bytes));
}

class StoreReader {
public:
    StoreReader(const FolderPtr& folder, ItemFiles& out, const CancelToken& cancel)
        : m_folder(folder), m_out(out), m_cancel(cancel) {}

    /// The store in `base` ("" or a sub-folder with its slash).
    Result<void> read(std::string_view base) {
        ocdbt::Store store;
        m_store = &store;
        m_shift = m_out.files.size();
        const auto result = ocdbt::readStore(
            *m_folder, base, store,
            [this](std::string_view key, const ocdbt::ValueRef& value) {
                return onValue(key, value);
            },
            m_cancel);
        addFiles(store);
        return result;
    }

private:
    Result<void> onValue(std::string_view key, const ocdbt::ValueRef& value) {
        const ArraySet::Key kind = m_out.arrays.classify(key);
        switch (kind.kind) {
        case ArraySet::Kind::Chunk:
            return addChunk(kind, value);
        case ArraySet::Kind::Metadata2:
        case ArraySet::Kind::Metadata3: {
            CAIRN_TRY(std::string text, textOf(value));
            return m_out.arrays.setMetadata(kind, std::move(text));
        }
        case ArraySet::Kind::Ignored:
            return {};
        case ArraySet::Kind::Unknown:
            if (++m_unknown <= 10) {
                m_out.notices.push_back(
                    {Severity::Info,
                     fail(ErrorCode::StrayFile, "A key of the store is no part of an array")
                         .inField(std::string(key.substr(0, 256)))});
            }
            return {};
        }
        return {};
    }

    Result<void> addChunk(const ArraySet::Key& key, const ocdbt::ValueRef& value) {
        if (!value.isInline) {
            return m_out.arrays.addChunk(
                key, {static_cast<std::uint32_t>(m_shift + value.file), value.range});
        }
        auto& memory = m_out.inMemory;
        if (memory.size() + value.bytes.size() > kMaxInMemory) {
            return fail(ErrorCode::LimitExceeded, "The tree itself holds too many bytes");
        }
        const ByteRange range{memory.size(), value.bytes.size()};
        memory.insert(memory.end(), value.bytes.begin(), value.bytes.end());
        return m_out.arrays.addChunk(key, {Place::kMemory, range});
    }

    Result<std::string> textOf(const ocdbt::ValueRef& value) {
        if (value.isInline) {
            return std::string(asText(value.bytes));
        }
        const std::string& path = m_store->files[value.file].path;
        if (!m_open || m_openPath != path) {
            CAIRN_TRY(m_open, m_folder->openFile(path));
            m_openPath = path;
        }
        if (!value.range.fitsInto(m_open->size())) {
            return fail(ErrorCode::Truncated, "The file ends before an array's metadata do")
                .inFile(path)
                .at(value.range.offset);
        }
        return readText(*m_open, value.range);
    }

    void addFiles(const ocdbt::Store& store) {
        for (const ocdbt::File& file : store.files) {
            ItemFile item{file.path, file.identity, false};
            if (!file.opened) {
                auto source = m_folder->openFile(file.path);
                item.missing = !source;
                if (source) {
                    item.identity = (*source)->identity();
                } else {
                    m_out.damaged = true;
                    const bool absent = source.error().code == ErrorCode::NotFound;
                    m_out.notices.push_back(
                        {Severity::Error,
                         absent
                             ? Error(fail(ErrorCode::MissingShard, "A file of values is missing")
                                         .inFile(file.path)
                                         .withHint("Copy it from where the checkpoint was saved"))
                             : std::move(source).error()});
                }
            }
            m_out.files.push_back(std::move(item));
        }
    }

    const FolderPtr& m_folder;
    ItemFiles& m_out;
    const CancelToken& m_cancel;
    ocdbt::Store* m_store = nullptr;
    std::size_t m_shift = 0;
    std::size_t m_unknown = 0;
    ByteSourcePtr m_open;
    std::string m_openPath;
};

/// Lists folders of arrays: what they hold are the same keys, one file each.
class ArrayFolders {
public:
    ArrayFolders(const FolderPtr& folder, ItemFiles& out, const CancelToken& cancel)
        : m_folder(folder), m_out(out), m_cancel(cancel) {}

    Result<void> read(std::span<const FolderEntry> entries) {
        queue("", entries, 0);
        while (!m_waiting.empty()) {
            CAIRN_CHECK(m_cancel.check());
            const Waiting next = std::move(m_waiting.back());
            m_waiting.pop_back();
            auto inner = m_folder->openFolder(next.path);
            auto listed =
                inner ? (*inner)->list() : Result<std::vector<FolderEntry>>(inner.error());
            if (!listed) {
                m_out.damaged = true;
                m_out.notices.push_back({Severity::Error, std::move(listed).error()});
                continue;
            }
            CAIRN_CHECK(addFiles(next.path, *listed));
            queue(next.path + "/", *listed, next.depth + 1);
        }
        return {};
    }

private:
    struct Waiting {
        std::string path;
        int depth = 0;
    };

    void queue(const std::string& prefix, std::span<const FolderEntry> entries, int depth) {
        constexpr auto kOthers = std::to_array<std::string_view>({"array_metadatas", "d"});
        for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
            const bool other =
                depth == 0 && std::ranges::find(kOthers, entry->name) != kOthers.end();
            const bool temporary = entry->name.find(".orbax-checkpoint-tmp") != std::string::npos;
            if (entry->kind == EntryKind::Folder && !other && !temporary && depth < kMaxDepth) {
                m_waiting.push_back({prefix + entry->name, depth});
            }
        }
    }

    Result<void> addFiles(const std::string& path, std::span<const FolderEntry> entries) {
        for (const FolderEntry& entry : entries) {
            if (entry.kind == EntryKind::Folder) {
                continue;
            }
            const std::string key = path + "/" + entry.name;
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
        ItemFile file{key, entry.identity, false};
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
        CAIRN_TRY(std::string text, readText(*source, whole));
        return m_out.arrays.setMetadata(kind, std::move(text));
    }

    const FolderPtr& m_folder;
    ItemFiles& m_out;
    const CancelToken& m_cancel;
    std::vector<Waiting> m_waiting;
};

/// Arrays that were read before the damage are kept.
Result<void> tolerate(Result<void> result, ItemFiles& out) {
    if (result || result.error().code == ErrorCode::Cancelled) {
        return result;
    }
    out.damaged = true;
    out.notices.push_back({Severity::Error, std::move(result).error()});
    return {};
}

} // namespace

bool isProcessStore(const FolderEntry& entry) {
    return entry.kind == EntryKind::Folder && entry.name.starts_with("ocdbt.process_");
}

Result<ItemFiles> readItemFiles(const FolderPtr& folder, std::span<const FolderEntry> entries,
                                const CancelToken& cancel) {
    ItemFiles out;
    StoreReader stores(folder, out, cancel);
    if (hasName(entries, kManifest)) {
        CAIRN_CHECK(tolerate(stores.read(""), out));
        return out;
    }
    for (const FolderEntry& entry : entries) {
        if (isProcessStore(entry)) {
            out.unmerged = true;
            CAIRN_CHECK(tolerate(stores.read(entry.name + "/"), out));
        }
    }
    if (!out.unmerged) {
        CAIRN_CHECK(tolerate(ArrayFolders(folder, out, cancel).read(entries), out));
    }
    return out;
}

} // namespace cairn::formats::orbax

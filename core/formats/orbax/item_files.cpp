// SPDX-License-Identifier: Apache-2.0
#include "core/formats/orbax/item_files.h"

#include "core/base/endian.h"
#include "core/codec/ocdbt/ocdbt.h"
#include "core/formats/orbax/folder_facts.h"

#include <algorithm>
#include <array>

namespace cairn::formats::orbax {
namespace {

constexpr std::uint64_t kMaxInMemory = std::uint64_t{512} << 20U;

bool hasName(std::span<const FolderEntry> entries, std::string_view name) {
    return std::ranges::any_of(entries,
                               [&](const FolderEntry& entry) { return entry.name == name; });
}

class StoreReader {
public:
    StoreReader(const FolderPtr& folder, ItemFiles& out, const CancelToken& cancel)
        : m_folder(folder), m_out(out), m_cancel(cancel) {}

    /// Reads the store in `base` ("" or a sub-folder with a trailing slash).
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
        m_out.arrays.finish();
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
                     fail(ErrorCode::StrayFile, "A key of the store does not belong to an array")
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
            return fail(ErrorCode::LimitExceeded,
                        "The metadata and small values exceed the size limit");
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
            return fail(ErrorCode::Truncated, "The file ends before the end of an array's metadata")
                .inFile(path)
                .at(value.range.offset);
        }
        return zarr_arrays::readMetadataText(*m_open, value.range);
    }

    void addFiles(const ocdbt::Store& store) {
        for (const ocdbt::File& file : store.files) {
            StoredFile item{file.path, file.identity, false};
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
                             ? Error(fail(ErrorCode::MissingShard, "A data file is missing")
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

/// Folders of an item that are not arrays; the groups of a Zarr hierarchy may have any name.
bool isNoArray(std::string_view name) {
    return name == "array_metadatas" || name == "d" || isTemporary(name);
}

/// Turns damage into a notice; arrays that were read before it are kept.
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
        const auto leftOut = isZarrRoot(entries) ? isTemporary : isNoArray;
        CAIRN_CHECK(tolerate(listArrayFolders(folder, entries, leftOut, out, cancel), out));
    }
    return out;
}

} // namespace cairn::formats::orbax

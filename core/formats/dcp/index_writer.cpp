// SPDX-License-Identifier: Apache-2.0
#include "core/formats/dcp/index_writer.h"

#include "core/codec/pickle/pickle_writer.h"
#include "core/formats/dcp/dims_hash.h"

#include <array>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace cairn::formats::dcp {
namespace {

constexpr std::string_view kMetadataModule = "torch.distributed.checkpoint.metadata";

enum Class : std::size_t { kMetadata, kBytes, kTensor, kProperties, kChunk, kIndex, kInfo, kSize };

struct ClassName {
    std::string_view module;
    std::string_view name;
};
constexpr std::array<ClassName, kSize + 1> kClasses = {
    {{kMetadataModule, "Metadata"},
     {kMetadataModule, "BytesStorageMetadata"},
     {kMetadataModule, "TensorStorageMetadata"},
     {kMetadataModule, "TensorProperties"},
     {kMetadataModule, "ChunkStorageMetadata"},
     {kMetadataModule, "MetadataIndex"},
     {"torch.distributed.checkpoint.filesystem", "_StorageInfo"},
     {"torch", "Size"}}};

/// What was written once is remembered and referred to by its slot: classes, names, sizes, dtypes.
/// An index of millions of chunks is mostly such references.
class IndexWriter {
public:
    IndexWriter(std::span<const IndexEntry> entries, std::span<const OutputFile> files)
        : m_entries(entries), m_files(files), m_fileSlots(files.size()),
          m_nameSlots(entries.size()) {}

    std::vector<std::byte> write() {
        reserve();
        call(kMetadata, [&] {
            dict([&] { stateDict(); });
            dict([&] { plannerData(); });
            dict([&] { storageData(); });
        });
        return std::move(m_pickle).finish();
    }

private:
    struct Known {
        Dims dims;
        std::optional<std::uint32_t> slot;
    };

    void reserve() {
        constexpr std::size_t kEntry = 96; // about what they take, besides the name
        constexpr std::size_t kChunkBytes = 72;
        std::size_t bytes = 0;
        std::size_t chunks = 0;
        for (const IndexEntry& entry : m_entries) {
            bytes += kEntry + entry.leaf->name.size();
            chunks += entry.chunks.size();
        }
        m_originSlots.reserve(chunks);
        m_pickle.reserve(bytes + kChunkBytes * chunks);
    }
    template <class Items> void dict(const Items& items) {
        m_pickle.emptyDict();
        m_pickle.mark();
        items();
        m_pickle.setItems();
    }
    template <class Arguments> void call(Class which, const Arguments& arguments) {
        std::optional<std::uint32_t>& slot = m_classSlots[which];
        if (slot) {
            m_pickle.get(*slot);
        } else {
            m_pickle.global(kClasses[which].module, kClasses[which].name);
            slot = m_pickle.put();
        }
        m_pickle.mark();
        arguments();
        m_pickle.tuple();
        m_pickle.reduce();
    }
    void text(std::optional<std::uint32_t>& slot, std::string_view content) {
        if (slot) {
            m_pickle.get(*slot);
            return;
        }
        m_pickle.text(content);
        slot = m_pickle.put();
    }
    /// Gives the slot.
    std::uint32_t size(const Dims& dims) {
        const auto [known, fresh] = m_sizes.try_emplace(dims, 0);
        if (!fresh) {
            m_pickle.get(known->second);
            return known->second;
        }
        call(kSize, [&] {
            m_pickle.mark();
            for (const std::int64_t extent : dims.span()) {
                m_pickle.integer(extent);
            }
            m_pickle.tuple();
        });
        known->second = m_pickle.put();
        return known->second;
    }
    /// One object for each dtype.
    void properties(Dtype dtype) {
        const auto [known, fresh] = m_properties.try_emplace(dtype, 0);
        if (!fresh) {
            m_pickle.get(known->second);
            return;
        }
        call(kProperties, [&] {
            const std::string_view name = dtypeInfo(dtype).torchName;
            const auto [type, isNew] = m_dtypes.try_emplace(name, 0);
            if (!isNew) {
                m_pickle.get(type->second);
                return;
            }
            m_pickle.global("torch", name);
            type->second = m_pickle.put();
        });
        known->second = m_pickle.put();
    }

    /// The same, for what mostly is as it was the last time.
    std::uint32_t size(const Dims& dims, Known& known) {
        if (known.slot && known.dims == dims) {
            m_pickle.get(*known.slot);
        } else {
            known.slot = size(dims);
            known.dims = dims;
        }
        return *known.slot;
    }

    /// `position`: of the chunk among the tensor's; the same one of other tensors is often alike.
    void chunk(const IndexEntry& entry, const StoredItem& item, std::size_t position) {
        call(kChunk, [&] {
            if (item.segment != kNoSegment) {
                const Box& box = m_files[item.file].tensors[item.segment].box;
                auto& [origin, extent] = m_known[position % m_known.size()];
                m_originSlots.push_back(size(box.origin, origin));
                size(box.extent, extent);
            } else { // of a tensor without elements, all of it
                m_originSlots.push_back(size(Dims(entry.tensor->shape.size(), 0)));
                size(entry.tensor->shape);
            }
        });
    }

    void stateDict() {
        for (std::size_t i = 0; i < m_entries.size(); ++i) {
            const IndexEntry& entry = m_entries[i];
            text(m_nameSlots[i], entry.leaf->name);
            if (entry.tensor == nullptr) {
                call(kBytes, [] {});
                continue;
            }
            call(kTensor, [&] {
                properties(entry.tensor->dtype);
                size(entry.tensor->shape);
                m_pickle.emptyList();
                m_pickle.mark();
                for (std::size_t c = 0; c < entry.chunks.size(); ++c) {
                    chunk(entry, entry.chunks[c], c);
                }
                m_pickle.appends();
            });
        }
    }

    void plannerData() {
        for (std::size_t i = 0; i < m_entries.size(); ++i) {
            text(m_nameSlots[i], {});
            m_pickle.mark();
            const auto& path = m_entries[i].leaf->path;
            if (path.empty()) {
                text(m_nameSlots[i], {});
            }
            for (const PathPart& part : path) {
                if (const auto* position = std::get_if<std::int64_t>(&part)) {
                    m_pickle.integer(*position);
                } else if (std::get<std::string>(part) == m_entries[i].leaf->name) {
                    text(m_nameSlots[i], {});
                } else {
                    m_pickle.text(std::get<std::string>(part));
                }
            }
            m_pickle.tuple();
        }
    }

    void storageData() {
        const std::uint32_t* origin = m_originSlots.data();
        for (std::size_t i = 0; i < m_entries.size(); ++i) {
            const IndexEntry& entry = m_entries[i];
            std::int64_t position = 0;
            for (const StoredItem& item : entry.chunks) {
                call(kIndex, [&] {
                    text(m_nameSlots[i], {});
                    if (entry.tensor != nullptr) {
                        m_pickle.get(*origin++);
                        m_pickle.integer(position++);
                    }
                });
                call(kInfo, [&] {
                    text(m_fileSlots[item.file], m_files[item.file].name);
                    m_pickle.integer(static_cast<std::int64_t>(item.offset));
                    m_pickle.integer(static_cast<std::int64_t>(item.length));
                });
            }
        }
    }

    std::span<const IndexEntry> m_entries;
    std::span<const OutputFile> m_files;
    std::vector<std::optional<std::uint32_t>> m_fileSlots;
    std::vector<std::optional<std::uint32_t>> m_nameSlots;
    std::array<std::optional<std::uint32_t>, kClasses.size()> m_classSlots;
    std::map<std::string_view, std::uint32_t> m_dtypes;
    std::unordered_map<Dims, std::uint32_t, DimsHash> m_sizes;
    std::array<std::pair<Known, Known>, 64> m_known; ///< origin and extent
    std::vector<std::uint32_t> m_originSlots;        ///< of all tensors' chunks, in order
    std::map<Dtype, std::uint32_t> m_properties;
    pickle::PickleWriter m_pickle;
};

} // namespace

std::vector<std::byte> writeIndex(std::span<const IndexEntry> entries,
                                  std::span<const OutputFile> files) {
    return IndexWriter(entries, files).write();
}

} // namespace cairn::formats::dcp

// SPDX-License-Identifier: Apache-2.0
#include "core/formats/dcp/index_writer.h"

#include "core/codec/pickle/pickle_writer.h"

#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace cairn::formats::dcp {
namespace {

constexpr std::string_view kMetadataModule = "torch.distributed.checkpoint.metadata";

class IndexWriter {
public:
    IndexWriter(std::span<const IndexEntry> entries, std::span<const std::string> files)
        : m_entries(entries), m_files(files), m_fileSlots(files.size()),
          m_nameSlots(entries.size()) {}

    std::vector<std::byte> write() {
        call(kMetadataModule, "Metadata", [&] {
            dict([&] { stateDict(); });
            dict([&] { plannerData(); });
            dict([&] { storageData(); });
        });
        return std::move(m_pickle).finish();
    }

private:
    template <class Items> void dict(const Items& items) {
        m_pickle.emptyDict();
        m_pickle.mark();
        items();
        m_pickle.setItems();
    }
    template <class Arguments>
    void call(std::string_view module, std::string_view name, const Arguments& arguments) {
        global(module, name);
        m_pickle.mark();
        arguments();
        m_pickle.tuple();
        m_pickle.reduce();
    }
    /// Written once, then remembered.
    void global(std::string_view module, std::string_view name) {
        const auto [known, fresh] = m_globals.try_emplace({module, name}, 0);
        if (!fresh) {
            m_pickle.get(known->second);
            return;
        }
        m_pickle.global(module, name);
        known->second = m_pickle.put();
    }
    void text(std::optional<std::uint32_t>& slot, std::string_view content) {
        if (slot) {
            m_pickle.get(*slot);
            return;
        }
        m_pickle.text(content);
        slot = m_pickle.put();
    }
    void size(const Dims& dims) {
        std::string key(reinterpret_cast<const char*>(dims.begin()),
                        dims.size() * sizeof(std::int64_t));
        const auto [known, fresh] = m_sizes.try_emplace(std::move(key), 0);
        if (!fresh) {
            m_pickle.get(known->second);
            return;
        }
        call("torch", "Size", [&] {
            m_pickle.mark();
            for (const std::int64_t extent : dims.span()) {
                m_pickle.integer(extent);
            }
            m_pickle.tuple();
        });
        known->second = m_pickle.put();
    }
    /// One object for each dtype.
    void properties(Dtype dtype) {
        const auto [known, fresh] = m_properties.try_emplace(dtype, 0);
        if (!fresh) {
            m_pickle.get(known->second);
            return;
        }
        call(kMetadataModule, "TensorProperties",
             [&] { global("torch", dtypeInfo(dtype).torchName); });
        known->second = m_pickle.put();
    }

    void stateDict() {
        for (std::size_t i = 0; i < m_entries.size(); ++i) {
            const IndexEntry& entry = m_entries[i];
            text(m_nameSlots[i], entry.leaf->name);
            if (entry.tensor == nullptr) {
                call(kMetadataModule, "BytesStorageMetadata", [] {});
                continue;
            }
            call(kMetadataModule, "TensorStorageMetadata", [&] {
                properties(entry.tensor->dtype);
                size(entry.tensor->shape);
                m_pickle.emptyList();
                m_pickle.mark();
                for (const StoredChunk& chunk : entry.chunks) {
                    call(kMetadataModule, "ChunkStorageMetadata", [&] {
                        size(chunk.box.origin);
                        size(chunk.box.extent);
                    });
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
        for (std::size_t i = 0; i < m_entries.size(); ++i) {
            const IndexEntry& entry = m_entries[i];
            std::int64_t position = 0;
            for (const StoredChunk& chunk : entry.chunks) {
                call(kMetadataModule, "MetadataIndex", [&] {
                    text(m_nameSlots[i], {});
                    if (entry.tensor != nullptr) {
                        size(chunk.box.origin);
                        m_pickle.integer(position++);
                    }
                });
                call("torch.distributed.checkpoint.filesystem", "_StorageInfo", [&] {
                    text(m_fileSlots[chunk.item.file], m_files[chunk.item.file]);
                    m_pickle.integer(static_cast<std::int64_t>(chunk.item.offset));
                    m_pickle.integer(static_cast<std::int64_t>(chunk.item.length));
                });
            }
        }
    }

    std::span<const IndexEntry> m_entries;
    std::span<const std::string> m_files;
    std::vector<std::optional<std::uint32_t>> m_fileSlots;
    std::vector<std::optional<std::uint32_t>> m_nameSlots;
    std::map<std::pair<std::string_view, std::string_view>, std::uint32_t> m_globals;
    std::unordered_map<std::string, std::uint32_t> m_sizes;
    std::map<Dtype, std::uint32_t> m_properties;
    pickle::PickleWriter m_pickle;
};

} // namespace

std::vector<std::byte> writeIndex(std::span<const IndexEntry> entries,
                                  std::span<const std::string> files) {
    return IndexWriter(entries, files).write();
}

} // namespace cairn::formats::dcp

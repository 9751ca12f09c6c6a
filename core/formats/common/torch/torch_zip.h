// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/pickle/pickle.h"
#include "core/codec/zip/zip_archive.h"
#include "core/formats/common/archives/deflate_codec.h"
#include "core/formats/common/torch/torch_objects.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// A torch.save archive, alone or inside a larger file: its records, and the locations of storages.
/// Not thread-safe.
namespace cairn::formats {

struct TorchArchive {
    ZipArchive zip;
    std::string prefix;                   ///< with trailing slash: "archive/"
    pickle::PickleGraph graph;            ///< of data.pkl; keeps its buffer
    std::optional<ByteRange> pickleRange; ///< of data.pkl in the file, if it is stored uncompressed
    bool bigEndian = false;
    bool torchScript = false;
    ValueRecords records; ///< of data.pkl
    std::vector<Notice> notices;

    [[nodiscard]] const ZipEntry* record(std::string_view name) const {
        return zip.find(prefix + std::string(name));
    }
};

/// `source`: the archive from its first byte. Fails with Zip* and Pickle* codes, TorchNoDataPickle,
/// TorchBadByteOrder, Io.
Result<TorchArchive> openTorchArchive(const ByteSourcePtr& source);

/// Reads another pickle of the archive ("constants.pkl").
Result<pickle::PickleGraph> readArchivePickle(const TorchArchive& archive, const ZipEntry& record);

/// Storages as records `data/<key>` of an archive that is file 0 of a checkpoint. Deflated records
/// need a codec for each different offset of a tensor. `base`: offset of the archive in the file;
/// deflated records are Unsupported if it is not 0.
class ZipStorages : public TorchStorages {
public:
    ZipStorages(const TorchArchive& archive, CheckpointData& data, std::uint64_t base = 0,
                const std::string& folder = "data/")
        : m_archive(archive), m_data(data), m_base(base), m_folder(archive.prefix + folder),
          m_records(archive.zip.entries().size()) {}

    Result<std::uint64_t> sizeOf(const TorchStorage& storage) override;
    void place(const TorchStorage& storage, ByteRange bytes, Dtype dtype, Piece& piece) override;
    bool placeInline(std::span<const std::byte> bytes, Piece& piece) override;

private:
    struct Record {
        const ZipEntry* entry = nullptr; ///< null: not examined yet
        ByteRange range;                 ///< of the stored, maybe compressed, bytes
        std::unique_ptr<Error> error;    ///< on the heap: there is a Record for each tensor
    };
    const Record& find(const TorchStorage& storage);
    const ZipEntry* entryOf(const std::string& name);
    void examine(const TorchStorage& storage, const std::string& name, Record& record);

    const TorchArchive& m_archive;
    CheckpointData& m_data;
    std::uint64_t m_base;
    std::string m_folder; ///< prefix of the names of the storages' records
    ZipHeaderWindow m_headers;
    std::vector<Record> m_records;           ///< by the entry's position in the archive
    std::map<std::string, Record> m_missing; ///< by the storage's key
    std::size_t m_next = 0;                  ///< position after the entry that was found last
    std::string m_lastKey;
    const Record* m_last = nullptr;            ///< the record of m_lastKey
    DeflatedPtr m_deflated;                    ///< null until a deflated record is needed
    std::map<std::uint64_t, CodecId> m_codecs; ///< by first byte in the inflated record
};

} // namespace cairn::formats

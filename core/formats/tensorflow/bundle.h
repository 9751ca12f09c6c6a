// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/sentence.h"
#include "core/formats/tensorflow/bundle_table.h"
#include "core/formats/tensorflow/names.h"
#include "core/formats/tensorflow/string_codec.h"
#include "core/model/checkpoint.h"

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace cairn::formats::tensorflow {

/// Converts the tables of one checkpoint to entries with pieces: one bundle, or the parts of
/// workers that were not merged. Used once by a reader. Not thread-safe.
class BundleReader {
public:
    /// `data` belongs to the caller; prefixes are relative to `folder`.
    BundleReader(CheckpointData& data, FolderPtr folder, CancelToken cancel,
                 bool severalParts = false);

    /// Adds the bundle `<prefix>.index` and its shards. Fails if the table cannot be read, as
    /// Folder::openFile and readBundleTable; all other errors become notices.
    Result<void> add(const std::string& prefix);

    /// Call it last: joins slices, and sets step, values and completeness.
    void finish();

    void note(Severity severity, Error error);
    void incomplete(Sentence why);

private:
    /// State of a bundle whose entries are being added.
    struct Part {
        std::string prefix;
        BundleTable table;
        std::vector<std::optional<FileIndex>> shards; ///< those looked up so far
        std::vector<std::uint64_t> ends;              ///< end of the last tensor in each shard
        std::shared_ptr<StringCodec> strings;
        CodecId stringCodec = kRawCodec;
    };

    void addEntry(Part& part, BundleTable::Named& named); ///< moves its name
    void addSlices(Part& part, const BundleEntry& whole, TensorEntry& tensor);
    void addPiece(Part& part, const BundleEntry& entry, Box box, TensorEntry& tensor);
    void addTensor(TensorEntry tensor);
    FileIndex shardFile(Part& part, std::uint64_t shard);
    CodecId codecFor(Part& part, Dtype dtype);
    void checkShards(Part& part);
    void findStrayFiles(Part& part);
    void noteOpaque(const std::string& name, std::uint32_t dataType);
    void joinTied();
    void takeRoles();
    void takePosition();
    std::optional<double> scalarAt(const TensorEntry& tensor) const;
    void takeValues();

    CheckpointData& m_data;
    FolderPtr m_folder;
    CancelToken m_cancel;
    std::unordered_map<std::string, std::size_t>
        m_joined; ///< partitioned variables of unmerged parts
    bool m_severalParts;
    std::size_t m_opaque = 0;
};

} // namespace cairn::formats::tensorflow

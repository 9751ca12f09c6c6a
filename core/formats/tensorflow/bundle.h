// SPDX-License-Identifier: Apache-2.0
#pragma once

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

/// Turns the tables of one checkpoint into entries with pieces: one bundle, or the parts that
/// workers wrote before they were merged. Used once by a reader, on one thread.
class BundleReader {
public:
    /// `data` and everything it holds belong to the caller; `folder` is where prefixes count from.
    BundleReader(CheckpointData& data, FolderPtr folder, CancelToken cancel,
                 bool severalParts = false);

    /// The bundle `<prefix>.index` and its shards. Fails when there is no table to be read: what
    /// Folder::openFile and readBundleTable state. Everything else is a notice.
    Result<void> add(const std::string& prefix);

    /// After the last one: joins slices, and fills step, values, completeness.
    void finish();

    void note(Severity severity, Error error);
    void incomplete(std::string why);

private:
    /// One bundle while its entries are added.
    struct Part {
        std::string prefix;
        BundleTable table;
        std::vector<std::optional<FileIndex>> shards; ///< as far as they were asked for
        std::vector<std::uint64_t> ends;              ///< where the last tensor of a shard ends
        std::shared_ptr<StringCodec> strings;
        CodecId stringCodec = kRawCodec;
    };

    void addEntry(Part& part, BundleTable::Named& named); ///< takes its name
    void addSlices(Part& part, const BundleEntry& whole, TensorEntry& tensor);
    void addPiece(Part& part, const BundleEntry& entry, Box box, TensorEntry& tensor);
    void addTensor(TensorEntry tensor);
    FileIndex shardFile(Part& part, std::uint64_t shard);
    CodecId codecFor(Part& part, Dtype dtype);
    void checkShards(Part& part);
    void findStrayFiles(Part& part);
    void noteOpaque(const std::string& name, std::uint32_t dataType);
    void takeRoles();
    void takePosition();
    std::optional<double> scalarAt(const TensorEntry& tensor) const;
    void takeValues();

    CheckpointData& m_data;
    FolderPtr m_folder;
    CancelToken m_cancel;
    std::unordered_map<std::string, std::size_t> m_joined; ///< partitioned variables of parts
    bool m_severalParts;
    std::size_t m_opaque = 0;
};

} // namespace cairn::formats::tensorflow

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/codec/pickle/pickle.h"
#include "core/codec/zip/zip_archive.h"
#include "core/io/byte_source.h"

#include <cstdint>
#include <optional>
#include <string>

/// A `torch.save` archive stored as an item of a shard. Private to this folder.
namespace cairn::formats::dcp {

struct ItemArchive {
    ZipArchive zip;
    std::string prefix;        ///< with a trailing slash: "archive/"
    pickle::PickleGraph graph; ///< of data.pkl
    bool bigEndian = false;
    std::optional<std::uint64_t> pickleStart; ///< of data.pkl in the item; empty: it is deflated
    bool compared = false;                    ///< data.pkl matches its stored checksum

    /// The record `data/<key>`, or null.
    [[nodiscard]] const ZipEntry* storage(const std::string& key) const {
        return zip.find(prefix + "data/" + key);
    }
};

/// True if the item begins like a zip archive.
bool looksLikeArchive(const ByteSource& item);

/// Opens an archive that fills `item`; offsets in errors count from the item's start. Fails with
/// Zip* and Pickle* codes, TorchNoDataPickle, TorchBadByteOrder, LimitExceeded (pickle larger than
/// `maxPickle`).
Result<ItemArchive> openItemArchive(const ByteSourcePtr& item, std::uint64_t maxPickle);

/// Converts the offset in an error, which counts from `base`, to an offset in the file.
Error rebased(Error error, std::uint64_t base, const std::string& file);

} // namespace cairn::formats::dcp

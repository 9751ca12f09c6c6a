// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/formats/tensorflow/proto.h"
#include "core/io/byte_source.h"

#include <string>
#include <vector>

namespace cairn::formats::tensorflow {

/// What `<prefix>.index` holds: a header, slices of partitioned variables, variables by name.
struct BundleTable {
    struct Named {
        std::string name;
        BundleEntry entry;
    };
    struct Sliced {
        SliceKey key;
        BundleEntry entry;
    };
    BundleHeader header;
    std::vector<Named> entries; ///< in order of names
    std::vector<Sliced> slices; ///< in order of keys, so that one variable's follow each other
    std::vector<Notice>
        notices; ///< parts that could not be read; each means that something is lost
};

/// Shards beyond this are not a shard count.
inline constexpr std::uint64_t kMaxShards = 100'000;

/// Reads the whole table once. Fails: what sstable::walk states; NotACheckpoint when it is some
/// other program's table; BadIndex for a header that is invalid; Unsupported for a later version.
Result<BundleTable> readBundleTable(const ByteSource& source, const CancelToken& cancel);

} // namespace cairn::formats::tensorflow

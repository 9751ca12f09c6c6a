// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/formats/tensorflow/proto.h"
#include "core/io/byte_source.h"

#include <string>
#include <vector>

namespace cairn::formats::tensorflow {

/// The contents of `<prefix>.index`: a header, slices of partitioned variables, variables by name.
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
    std::vector<Named> entries;  ///< in name order
    std::vector<Sliced> slices;  ///< in key order, so that slices of one variable are consecutive
    std::vector<Notice> notices; ///< unreadable blocks; each means that something is lost
};

/// Larger numbers are not plausible shard counts.
inline constexpr std::uint64_t kMaxShards = 100'000;

/// Reads the complete table once. Fails: the errors of sstable::walk; NotACheckpoint for a table of
/// another program; BadIndex for an invalid header; Unsupported for a later version.
Result<BundleTable> readBundleTable(const ByteSource& source, const CancelToken& cancel);

} // namespace cairn::formats::tensorflow

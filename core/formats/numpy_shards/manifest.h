// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/json/json_value.h"
#include "core/model/dims.h"
#include "core/model/dtype.h"
#include "core/model/value.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What a manifest beside shards states: Cairn's own, a weight_map, a map of axes, checksums.
/// Everything is optional and nothing is trusted: the joiner checks it against the files.
/// README.md lists the keys. Private to this folder.
namespace cairn::formats::numpy_shards {

/// Where one file's array belongs in the whole; what is not stated is left open.
struct ManifestPart {
    std::string file;                  ///< relative to the folder
    std::string key;                   ///< of the array in the file; empty: the tensor's name
    std::optional<Dims> origin;        ///< in the complete tensor
    std::optional<Dims> extent;        ///< of the part
    std::optional<std::int64_t> start; ///< along the tensor's axis
    std::optional<std::int64_t> order; ///< rank or index, when numbers are given
    bool understood = true; ///< false: it has numbers under other keys, which may be its place
};

struct ManifestTensor {
    std::string name;
    std::optional<Dtype> dtype;
    std::optional<Shape> shape;
    std::optional<std::int64_t>
        axis;                        ///< along which parts are joined; negative counts from the end
    bool replicated = false;         ///< every file holds the same whole array
    std::vector<ManifestPart> parts; ///< in the order in which they were listed
};

struct ManifestFile {
    std::string name;
    std::optional<std::uint64_t> size;
    std::optional<std::int64_t> order;
    bool listed = false; ///< in a list of files; else only a checksum mentions it
    std::map<std::string, std::string> digests; ///< algorithm -> lower-case hex
};

struct Manifest {
    std::string file; ///< its own name
    std::vector<ManifestFile> files;
    std::vector<ManifestTensor> tensors; ///< names are unique
    std::optional<std::int64_t> axis;    ///< of every tensor that states nothing of its own
    std::optional<std::int64_t> count;   ///< of shards
    Value values;                        ///< what else it states: step, epoch, settings
    /// True if it speaks of files at all.
    [[nodiscard]] bool useful() const {
        return !files.empty() || !tensors.empty() || axis || count;
    }
};

/// Linear in the document. Never fails: what is not understood is left out.
Manifest readManifest(const JsonValue& root, std::string file);

/// ("sha256", "ab…") out of "sha256:ab…", or by the number of digits; nothing: no digest.
std::optional<std::pair<std::string, std::string>> readDigest(std::string_view text,
                                                              std::string_view algorithm);

} // namespace cairn::formats::numpy_shards

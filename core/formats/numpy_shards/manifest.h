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

/// A manifest of shards: Cairn's own, a weight_map, a map of axes, checksums. Everything is
/// optional and nothing is trusted: the joiner checks it against the files. README.md lists the
/// keys. Private to this folder.
namespace cairn::formats::numpy_shards {

/// Position of one file's array in the complete tensor; unknown parts are empty.
struct ManifestPart {
    std::string file;                  ///< relative to the folder
    std::string key;                   ///< name of the array in the file; empty: the tensor's name
    std::optional<Dims> origin;        ///< in the complete tensor
    std::optional<Dims> extent;        ///< of the part
    std::optional<std::int64_t> start; ///< along the tensor's axis
    std::optional<std::int64_t> order; ///< rank or index, if given as a number
    bool understood = true; ///< false: it has numbers under unknown keys, which may be its position
};

struct ManifestTensor {
    std::string name;
    std::optional<Dtype> dtype;
    std::optional<Shape> shape;
    std::optional<std::int64_t> axis; ///< along which parts are joined; negative: from the end
    bool replicated = false;          ///< every file contains the same complete array
    std::vector<ManifestPart> parts;  ///< in the listed order
};

struct ManifestFile {
    std::string name;
    std::optional<std::uint64_t> size;
    std::optional<std::int64_t> order;
    bool listed = false;                        ///< in a list of files, not only with a checksum
    std::map<std::string, std::string> digests; ///< algorithm -> lower-case hex
};

struct Manifest {
    std::string file; ///< name of the manifest
    std::vector<ManifestFile> files;
    std::vector<ManifestTensor> tensors; ///< with unique names
    std::optional<std::int64_t> axis;    ///< default for tensors without an axis
    std::optional<std::int64_t> count;   ///< of shards
    Value values;                        ///< other contents: step, epoch, settings
    /// True if it refers to files at all.
    [[nodiscard]] bool useful() const {
        return !files.empty() || !tensors.empty() || axis || count;
    }
};

/// Linear in the document. Never fails: unknown content is ignored.
Manifest readManifest(const JsonValue& root, std::string file);

/// ("sha256", "ab…") from "sha256:ab…", or by the number of digits; empty: not a digest.
std::optional<std::pair<std::string, std::string>> readDigest(std::string_view text,
                                                              std::string_view algorithm);

} // namespace cairn::formats::numpy_shards

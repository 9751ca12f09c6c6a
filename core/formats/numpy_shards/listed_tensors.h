// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/numpy_shards/manifest.h"
#include "core/formats/numpy_shards/member_files.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>

/// Joins the tensors that a manifest describes. Private to this folder.
namespace cairn::formats::numpy_shards {

/// Takes the arrays of the manifest's tensors out of the files. Borrows its arguments. Not
/// thread-safe; use it once.
class ListedTensors {
public:
    ListedTensors(CheckpointData& data, Manifest& manifest, MemberFiles& files)
        : m_data(data), m_manifest(manifest), m_files(files) {}

    /// Adds the tensors to `data` and marks their arrays as used. If the files contradict the
    /// manifest, a notice is added, the arrays are not used, and the checkpoint is incomplete.
    void join();
    /// Arrays whose dtype the manifest records.
    [[nodiscard]] const std::set<std::string>& typed() const { return m_typed; }

private:
    void joinByAxis();
    void joinOne(ManifestTensor& tensor);
    void findParts(ManifestTensor& tensor);
    std::optional<std::int64_t> rankOf(const std::string& file);
    TensorEntry& withManifestDtype(TensorEntry& entry, const ManifestTensor& tensor);

    CheckpointData& m_data;
    Manifest& m_manifest;
    MemberFiles& m_files;
    std::set<std::string> m_typed;
    std::unordered_map<std::string, std::optional<std::int64_t>> m_ranks; ///< by file
};

} // namespace cairn::formats::numpy_shards

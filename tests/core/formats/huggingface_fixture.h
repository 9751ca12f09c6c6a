// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/core/formats/format_fixture.h"

/// Shared by the tests of Hugging Face folders.
namespace cairn::test {

using Names = std::vector<std::string>;

inline const std::filesystem::path kGoldens = CAIRN_SOURCE_DIR "/tests/data/huggingface";
inline const std::filesystem::path kDeepSpeed = CAIRN_SOURCE_DIR "/tests/data/deepspeed";

inline CheckpointPtr openedParts(const std::filesystem::path& path) {
    auto checkpoint = openCheckpoint(path);
    EXPECT_TRUE(checkpoint) << (checkpoint ? "" : describe(checkpoint.error()));
    return checkpoint ? *checkpoint : nullptr;
}

/// One tensor of four bytes for each name.
inline std::string weightFile(const std::vector<std::string>& names) {
    std::vector<SafetensorsTensor> tensors;
    for (const std::string& name : names) {
        tensors.push_back(byteTensor(name));
    }
    return safetensorsFile(tensors);
}

inline Names namesOf(const Checkpoint& checkpoint) {
    Names names;
    for (const TensorEntry& tensor : checkpoint.tensors()) {
        names.push_back(tensor.name);
    }
    return names;
}

inline const Notice* noticeOf(const Checkpoint& checkpoint, std::string_view file) {
    for (const Notice& notice : checkpoint.notices()) {
        if (notice.error.where.file == file) {
            return &notice;
        }
    }
    return nullptr;
}

/// One tensor of bytes for each name and shape.
inline std::string shapedFile(const std::vector<std::pair<std::string, Shape>>& shapes) {
    std::vector<SafetensorsTensor> tensors;
    for (const auto& [name, shape] : shapes) {
        const auto dims = shape.span();
        tensors.push_back({name,
                           "U8",
                           {dims.begin(), dims.end()},
                           static_cast<std::size_t>(elementCount(shape).value())});
    }
    return safetensorsFile(tensors);
}

inline std::vector<FolderEntry> entriesNamed(const Names& names, EntryKind kind = EntryKind::File) {
    std::vector<FolderEntry> entries;
    for (const std::string& name : names) {
        entries.push_back({name, kind, {}});
    }
    return entries;
}

} // namespace cairn::test

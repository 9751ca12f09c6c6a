// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/core/formats/format_fixture.h"

/// What the tests of Hugging Face folders share.
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
    std::string header = "{";
    for (std::size_t i = 0; i < names.size(); ++i) {
        header += (i == 0 ? "" : ",") + ("\"" + names[i]) +
                  R"(":{"dtype":"U8","shape":[4],"data_offsets":[)" + std::to_string(4 * i) + "," +
                  std::to_string(4 * i + 4) + "]}";
    }
    return safetensorsFile(header + "}", 4 * names.size());
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
inline std::string shapedFile(const std::vector<std::pair<std::string, Shape>>& tensors) {
    std::string header = "{";
    std::size_t at = 0;
    for (const auto& [name, shape] : tensors) {
        std::size_t bytes = 1;
        std::string dims;
        for (const std::int64_t dim : shape) {
            bytes *= static_cast<std::size_t>(dim);
            dims += (dims.empty() ? "" : ",") + std::to_string(dim);
        }
        header += (at == 0 ? "" : ",") + ("\"" + name) + R"(":{"dtype":"U8","shape":[)" + dims +
                  R"(],"data_offsets":[)" + std::to_string(at) + "," + std::to_string(at + bytes) +
                  "]}";
        at += bytes;
    }
    return safetensorsFile(header + "}", at);
}

inline std::vector<FolderEntry> entriesNamed(const Names& names, EntryKind kind = EntryKind::File) {
    std::vector<FolderEntry> entries;
    for (const std::string& name : names) {
        entries.push_back({name, kind, {}});
    }
    return entries;
}

} // namespace cairn::test

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/endian.h"
#include "core/codec/json/json_value.h"
#include "core/formats/format.h"
#include "core/io/hash.h"
#include "core/model/tensor_reader.h"
#include "tests/support/safetensors_file.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <unistd.h>

/// Shared by the tests of readers and layouts.
namespace cairn::test {

/// Opens with one format, without probing. Nested files cannot be opened.
inline Result<CheckpointPtr> openAs(const FormatInfo& format, const std::filesystem::path& path) {
    OpenRequest request;
    request.path = path;
    request.openNested = [](std::string_view) -> Result<CheckpointPtr> {
        return fail(ErrorCode::Unsupported, "No nested members in this test");
    };
    if (std::filesystem::is_directory(path)) {
        CAIRN_TRY(request.folder, Folder::open(path));
        CAIRN_TRY(request.entries, request.folder->list());
    } else {
        CAIRN_TRY(request.folder, Folder::open(path.parent_path()));
        request.name = path.filename().string();
    }
    return format.open(request);
}

inline bool hasNotice(const Checkpoint& checkpoint, ErrorCode code) {
    return std::ranges::any_of(checkpoint.notices(),
                               [&](const Notice& notice) { return notice.error.code == code; });
}

inline std::string noticesText(const Checkpoint& checkpoint) {
    std::string text;
    for (const Notice& notice : checkpoint.notices()) {
        text += std::string(errorName(notice.error.code)) + ": " + describe(notice.error) + "\n";
    }
    return text;
}

inline std::string sha256Of(const Checkpoint& checkpoint, const TensorEntry& tensor) {
    auto bytes = readComplete(checkpoint, tensor, 1U << 26U);
    if (!bytes) {
        return describe(bytes.error());
    }
    Sha256 hash;
    hash.add(*bytes);
    return hexText(hash.finish());
}

/// Compares with what generate.py recorded: names, dtypes, shapes and content, in any order.
inline void expectTensors(const Checkpoint& checkpoint, const JsonValue& expected) {
    auto list = expected.asArray();
    ASSERT_TRUE(list);
    EXPECT_EQ(checkpoint.tensors().size(), list->size()) << noticesText(checkpoint);
    for (const JsonValue& item : *list) {
        const std::string name(item.find("name")->asString().value_or(""));
        const auto index = checkpoint.find(name);
        ASSERT_TRUE(index) << name;
        const TensorEntry& tensor = checkpoint.tensor(*index);
        EXPECT_EQ(dtypeName(tensor.dtype), item.find("dtype")->asString().value_or("")) << name;
        const auto shape = item.find("shape")->asArray();
        ASSERT_EQ(tensor.shape.size(), shape->size()) << name;
        for (std::size_t d = 0; d < shape->size(); ++d) {
            EXPECT_EQ(tensor.shape[d], (*shape)[d].asInteger().value_or(-1)) << name;
        }
        EXPECT_EQ(sha256Of(checkpoint, tensor), item.find("sha256")->asString().value_or(""))
            << name;
    }
}

/// The bytes of an output file whose tensors come from `source`, as the engine would write them.
inline std::string fillFile(const Checkpoint& source, const OutputFile& file) {
    std::string out(file.size, '?');
    std::vector<bool> covered(file.size);
    const auto put = [&](std::uint64_t offset, std::span<const std::byte> bytes) {
        ASSERT_LE(offset + bytes.size(), file.size);
        std::ranges::copy(asText(bytes), out.begin() + static_cast<std::ptrdiff_t>(offset));
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            EXPECT_FALSE(covered[offset + i]) << "byte written twice";
            covered[offset + i] = true;
        }
    };
    for (const LiteralSegment& literal : file.literals) {
        put(literal.offset, file.bytesOf(literal));
    }
    for (const TensorSegment& segment : file.tensors) {
        auto bytes = readComplete(source, source.tensor(segment.source), 1U << 26U);
        EXPECT_TRUE(bytes);
        EXPECT_EQ(bytes->size(), segment.length);
        put(segment.offset, *bytes);
    }
    EXPECT_TRUE(std::ranges::all_of(covered, [](bool bit) { return bit; })) << "bytes not written";
    return out;
}

} // namespace cairn::test

// SPDX-License-Identifier: Apache-2.0
#include "app/cli/sample_writer.h"

#include "core/base/absolute_path.h"
#include "core/base/endian.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kTarBlock = 512;

struct PackedFile {
    fs::path path; ///< relative
    std::span<const std::byte> bytes;
};

std::string_view field(std::span<const std::byte> header, std::size_t offset, std::size_t length) {
    const std::string_view text = asText(header.subspan(offset, length));
    return text.substr(0, std::min(text.find('\0'), text.size()));
}

/// The regular files of a tar archive (POSIX ustar: name at 0, size in octal at 124, type at 156,
/// prefix at 345).
Result<std::vector<PackedFile>> readPack(std::span<const std::byte> pack) {
    std::vector<PackedFile> files;
    for (std::size_t at = 0; at + kTarBlock <= pack.size() && pack[at] != std::byte{0};) {
        const auto header = pack.subspan(at, kTarBlock);
        const std::string_view digits = field(header, 124, 12);
        std::uint64_t size = 0;
        std::from_chars(digits.data(), digits.data() + digits.size(), size, 8);
        at += kTarBlock;
        if (size > pack.size() - at) {
            return fail(ErrorCode::Internal, "The sample in the program is truncated");
        }
        const char type = static_cast<char>(header[156]);
        if (type == '0' || type == '\0') {
            files.push_back({fs::path(field(header, 0, 100)).lexically_normal(),
                             pack.subspan(at, static_cast<std::size_t>(size))});
        }
        at += (static_cast<std::size_t>(size) + kTarBlock - 1) / kTarBlock * kTarBlock;
    }
    std::ranges::stable_sort(files, {}, [](const PackedFile& file) {
        const std::string name = file.path.filename().string();
        return name.ends_with(".metadata") || name.ends_with(".index.json");
    });
    return files;
}

/// Opens the folder of a relative path below `root`; creates missing folders.
Result<FileHandle> folderFor(const fs::path& relative, const fs::path& root, FileOps& fileOps) {
    CAIRN_TRY(FileHandle folder, fileOps.openFolder(root));
    for (const fs::path& part : relative) {
        if (auto made = fileOps.makeFolder(folder, part.string());
            !made && made.error().code != ErrorCode::OutputExists) {
            return std::move(made).error();
        }
        CAIRN_TRY(FileHandle inner, fileOps.openFolderIn(folder, part.string()));
        folder = std::move(inner);
    }
    return folder;
}

Result<void> makeRoot(const fs::path& folder, FileOps& fileOps) {
    std::error_code error;
    if (fs::exists(fs::symlink_status(folder, error))) {
        if (fs::is_directory(folder, error) && fs::is_empty(folder, error)) {
            return {};
        }
        return fail(ErrorCode::OutputExists, "The output already exists")
            .inFile(folder.string())
            .withHint("Specify a folder that does not exist, or an empty one");
    }
    const fs::path named = absolutePath(folder);
    CAIRN_TRY(const FileHandle parent, fileOps.openFolder(named.parent_path()));
    return fileOps.makeFolder(parent, named.filename().string());
}

} // namespace

Result<void> writeSample(const fs::path& folder, FileOps& fileOps) {
    CAIRN_TRY(const auto files, readPack(samplePack()));
    CAIRN_CHECK(makeRoot(folder, fileOps));
    for (const PackedFile& file : files) {
        CAIRN_TRY(const FileHandle parent, folderFor(file.path.parent_path(), folder, fileOps));
        CAIRN_TRY(FileHandle handle, fileOps.createFile(parent, file.path.filename().string()));
        CAIRN_CHECK(fileOps.writeAt(handle, 0, file.bytes));
        CAIRN_CHECK(fileOps.close(std::move(handle)));
    }
    return {};
}

} // namespace cairn

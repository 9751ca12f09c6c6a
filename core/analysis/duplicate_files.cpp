// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/duplicate_files.h"

#include "core/analysis/tensor_pass.h"
#include "core/io/extent_sharing.h"
#include "core/io/location.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace cairn::duplicates {
namespace {

constexpr std::uint64_t kSample = 4096;
constexpr std::size_t kCompared = 64; ///< copies whose blocks are compared with each other

/// One file on the disk, with all its names.
struct File {
    std::uint64_t size = 0;
    FileId id;
    std::vector<std::filesystem::path> names;
};

std::vector<File> listFiles(const DuplicateInput& input, const DuplicateOptions& options,
                            Duplicates& result) {
    std::map<FileId, File> files;
    for (const auto& path : input.files) {
        if (options.cancel.cancelled()) {
            break;
        }
        const auto source = openFile(path);
        if (!source) {
            note(result, source.error());
            continue;
        }
        ++result.files;
        const FileIdentity identity = (*source)->identity();
        if (identity.size >= std::max<std::uint64_t>(1, options.smallest)) {
            File& file = files[idOf(identity)];
            file.size = identity.size;
            file.id = idOf(identity);
            file.names.push_back(path);
        }
    }
    std::vector<File> list;
    list.reserve(files.size());
    for (auto& [id, file] : files) {
        list.push_back(std::move(file));
    }
    return list;
}

/// The digest of the first, middle and last bytes.
Result<Sha256Digest> sampleFile(const File& file) {
    CAIRN_TRY(const ByteSourcePtr source, openFile(file.names.front()));
    Sha256 sha;
    std::array<std::byte, kSample> block{};
    const std::uint64_t length = std::min(kSample, file.size);
    for (const std::uint64_t at :
         {std::uint64_t{0}, (file.size - length) / 2, file.size - length}) {
        const auto bytes = std::span(block).first(static_cast<std::size_t>(length));
        CAIRN_CHECK(source->readAt(at, bytes));
        sha.add(bytes);
    }
    return sha.finish();
}

Result<Sha256Digest> hashFile(const File& file, const DuplicateOptions& options,
                              Duplicates& result) {
    CAIRN_TRY(const ByteSourcePtr source, openFile(file.names.front()));
    Sha256 sha;
    std::vector<std::byte> buffer(
        static_cast<std::size_t>(std::min<std::uint64_t>(PassBuffer::kChunk, file.size)));
    for (std::uint64_t at = 0; at < file.size;) {
        CAIRN_CHECK(options.cancel.check());
        const auto length =
            static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), file.size - at));
        const auto bytes = std::span(buffer).first(length);
        CAIRN_CHECK(source->readAt(at, bytes));
        sha.add(bytes);
        at += length;
        result.bytesRead += length;
        if (options.progress != nullptr) {
            options.progress->fetch_add(length, std::memory_order_relaxed);
        }
    }
    CAIRN_CHECK(source->checkUnchanged());
    return sha.finish();
}

bool shareBlocks(const File& left, const File& right) {
    const auto a = openFile(left.names.front());
    const auto b = openFile(right.names.front());
    return a && b && sameBlocks((*a)->descriptor(), 0, (*b)->descriptor(), 0, left.size);
}

/// Splits files of one size by what `digest` gives; only the groups of several are returned.
template <class Digest>
std::vector<std::pair<Sha256Digest, std::vector<const File*>>>
splitBy(const std::vector<const File*>& files, const DuplicateOptions& options, Duplicates& result,
        Digest&& digest) {
    std::map<Sha256Digest, std::vector<const File*>> split;
    for (const File* file : files) {
        if (options.cancel.cancelled()) {
            return {};
        }
        if (auto value = digest(*file)) {
            split[*value].push_back(file);
        } else {
            note(result, std::move(value).error());
        }
    }
    std::erase_if(split, [](const auto& each) { return each.second.size() < 2; });
    return {split.begin(), split.end()};
}

void addGroup(const Sha256Digest& sha256, const std::vector<const File*>& files,
              std::map<FileId, FileId>& represented, Duplicates& result) {
    DuplicateGroup group;
    group.sha256 = sha256;
    group.bytes = files.front()->size;
    group.isFile = true;
    std::vector<const File*> copies; // that do not share blocks
    for (const File* file : files) {
        const auto compared = std::span(copies).first(std::min(copies.size(), kCompared));
        const bool shared = std::ranges::any_of(
            compared, [&](const File* copy) { return shareBlocks(*copy, *file); });
        for (const auto& name : file->names) {
            group.places.push_back({name, {}, shared || &name != &file->names.front()});
        }
        if (!shared) {
            copies.push_back(file);
        }
        represented[file->id] = files.front()->id;
    }
    group.reclaimable = group.bytes * (copies.size() - 1);
    result.groups.push_back(std::move(group));
}

} // namespace

Result<ByteSourcePtr> openFile(const std::filesystem::path& path) {
    CAIRN_TRY(const Location::Opened opened, Location(path).open());
    if (opened.isFolder()) {
        return fail(ErrorCode::NotRegularFile, "Not a regular file").inFile(path.string());
    }
    return opened.folder->openFile(opened.name);
}

void note(Duplicates& result, Error error) {
    if (result.notices.size() < Duplicates::kMaxNotices && error.code != ErrorCode::Cancelled) {
        result.notices.push_back({Severity::Warning, std::move(error)});
    }
}

std::map<FileId, FileId> findEqualFiles(const DuplicateInput& input,
                                        const DuplicateOptions& options, Duplicates& result) {
    const std::vector<File> files = listFiles(input, options, result);
    std::map<std::uint64_t, std::vector<const File*>> bySize;
    for (const File& file : files) {
        bySize[file.size].push_back(&file);
    }
    std::map<FileId, FileId> represented;
    for (const auto& [size, same] : bySize) {
        if (same.size() < 2) {
            continue;
        }
        for (const auto& [sample, alike] : splitBy(same, options, result, sampleFile)) {
            const auto equal = splitBy(alike, options, result, [&](const File& file) {
                return hashFile(file, options, result);
            });
            for (const auto& [sha256, copies] : equal) {
                addGroup(sha256, copies, represented, result);
            }
        }
    }
    return represented;
}

} // namespace cairn::duplicates

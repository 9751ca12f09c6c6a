// SPDX-License-Identifier: Apache-2.0
#include "core/formats/numpy_shards/checksum_files.h"

#include "core/base/endian.h"
#include "core/formats/numpy_shards/manifest.h"

#include <algorithm>
#include <array>

namespace cairn::formats::numpy_shards {
namespace {

constexpr std::uint64_t kMaxSums = std::uint64_t{4} << 20U;
constexpr auto kListNames = std::to_array<std::string_view>(
    {"SHA256SUMS", "SHA512SUMS", "SHA1SUMS", "MD5SUMS", "sha256sums.txt", "sha256sum.txt",
     "md5sums.txt", "md5sum.txt", "checksums.txt", "checksum.txt"});
constexpr auto kEndings = std::to_array<std::string_view>({".sha256", ".sha512", ".sha1", ".md5"});

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.back() == '\r' || text.back() == ' ' || text.back() == '\t')) {
        text.remove_suffix(1);
    }
    return text;
}

/// `only`: the file to which lines without a name refer.
void addSums(std::string_view text, const std::string& only, const std::string& from,
             const FilePlaces& places, std::vector<StoredDigest>& digests) {
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line = trimmed(text.substr(begin, end - begin));
        begin = end + 1;
        const std::size_t space = std::min(line.find(' '), line.size());
        std::string_view name = line.substr(space);
        name.remove_prefix(std::min(name.find_first_not_of(" *"), name.size()));
        name = name.starts_with("./") ? name.substr(2) : name;
        auto digest = readDigest(line.substr(0, space), {});
        const auto place = places.find(name.empty() ? only : std::string(name));
        if (digest && place != places.end()) {
            digests.push_back({FileIndex(place->second), std::move(digest->first),
                               std::move(digest->second), from});
        }
    }
}

} // namespace

std::vector<StoredDigest> digestsBeside(const Folder& folder, std::span<const FolderEntry> entries,
                                        const FilePlaces& places) {
    std::vector<StoredDigest> digests;
    for (const FolderEntry& entry : entries) {
        const std::string_view name = entry.name;
        const auto* ending =
            std::ranges::find_if(kEndings, [&](auto each) { return name.ends_with(each); });
        const bool own = ending != kEndings.end();
        const bool list = std::ranges::find(kListNames, name) != kListNames.end();
        if ((!own && !list) || entry.identity.size > kMaxSums) {
            continue;
        }
        const auto source = folder.openFile(name);
        const auto bytes = source && (*source)->size() <= kMaxSums
                               ? readRange(**source, {0, (*source)->size()})
                               : Result<std::vector<std::byte>>(std::vector<std::byte>());
        if (bytes) {
            const std::string only(own ? name.substr(0, name.size() - ending->size())
                                       : std::string_view());
            addSums(asText(*bytes), only, entry.name, places, digests);
        }
    }
    return digests;
}

} // namespace cairn::formats::numpy_shards

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/folder.h"
#include "core/store/frame.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// The payloads of frames. Every parser is bounded by the payload and fails with Io.
namespace cairn::store {

/// A folder of the host: a path, and names that are looked up one beneath the other.
struct FolderRef {
    std::string root;
    std::vector<std::string> inner;
    friend bool operator==(const FolderRef&, const FolderRef&) = default;
};

struct FileRef {
    FolderRef folder;
    std::string name; ///< as Folder::openFile(): may contain sub-folders
};

/// The path there, as identifies a file in a cache.
std::string pathThere(const FolderRef& folder, std::string_view below);

struct ReadRequest {
    FileRef file;
    FileIdentity identity; ///< that it must still have
    std::vector<ByteRange> ranges;
};

struct OpenPlaceRequest {
    std::string path;                 ///< absolute, or beginning with "~"
    std::vector<std::uint64_t> known; ///< tags of the files of which nothing is to be sent ahead
};

/// A part of the answer to Gather. What cannot be read is left out.
struct GatheredBytes {
    std::uint32_t file = 0; ///< its place in the request
    std::uint64_t offset = 0;
    std::string bytes;
};

/// Bytes that are sent without a request for them.
struct AheadBytes {
    std::vector<std::string> inner; ///< the folder beneath the opened one
    std::string name;
    FileIdentity identity;
    std::uint64_t offset = 0;
    std::string bytes;
};

/// An entry, and the identity of the file that Folder::openFile() opens there: of a link's target.
/// None: no file that can be opened.
struct ListedEntry {
    FolderEntry entry;
    std::optional<FileIdentity> file;
};

struct ListingPart {
    std::vector<std::string> inner; ///< the folder beneath the opened one
    std::vector<ListedEntry> entries;
    bool last = false; ///< of this folder
};

struct HelloMessage {
    std::uint32_t protocol = 0;
    std::string version; ///< of the program, with its build
    std::string home;
    std::int64_t nowNs = 0; ///< the clock there, since 1970; 0: unknown
};

inline constexpr std::uint32_t kMaxNamesInMessage = 65536;
inline constexpr std::size_t kMaxEntryName = 255; ///< NAME_MAX
inline constexpr std::size_t kMaxLevels = 64;     ///< of folders beneath an opened one
inline constexpr std::uint64_t kMaxReadAtOnce = std::uint64_t{256} << 20U; ///< of one request
inline constexpr std::uint64_t kMaxGathered = std::uint64_t{8} << 20U;     ///< of one request
inline constexpr std::size_t kMaxKnownTags = 8192;
inline constexpr std::uint64_t kDataPart = std::uint64_t{512} << 10U; ///< of a range, in one frame
inline constexpr std::size_t kMaxListedFolders = 256;                 ///< of one answer

/// A number that stands for an identity in OpenPlaceRequest. Two with the same one would only cost
/// a request more.
std::uint64_t identityTag(const FileIdentity& identity);

void putFolder(WireWriter& out, const FolderRef& folder);
FolderRef getFolder(WireReader& in);
void putIdentity(WireWriter& out, const FileIdentity& identity);
/// Fails for a size beyond INT64_MAX.
FileIdentity getIdentity(WireReader& in);
void putError(WireWriter& out, const Error& error);
/// The text of an error of the far end; its code is one of those that reading a file has.
Error getError(WireReader& in);

std::string encode(const ReadRequest& request);
Result<ReadRequest> decodeRead(std::string_view payload);
std::string encode(const std::vector<ReadRequest>& requests);
Result<std::vector<ReadRequest>> decodeGather(std::string_view payload);
std::string encode(const GatheredBytes& gathered);
Result<GatheredBytes> decodeGathered(std::string_view payload);
std::string encode(const OpenPlaceRequest& request);
Result<OpenPlaceRequest> decodeOpen(std::string_view payload);
std::string encode(const std::vector<FileRef>& files);
Result<std::vector<FileRef>> decodeStat(std::string_view payload);
std::string encode(const AheadBytes& ahead);
Result<AheadBytes> decodeAhead(std::string_view payload);
std::string encode(const HelloMessage& hello);
Result<HelloMessage> decodeHello(std::string_view payload);
Result<ListingPart> decodeListing(std::string_view payload);
/// One or more payloads, each within kMaxPayload.
std::vector<std::string> encodeListing(const std::vector<std::string>& inner,
                                       const std::vector<ListedEntry>& entries);
std::string encodeWords(const std::vector<std::string>& words);
Result<std::vector<std::string>> decodeWords(std::string_view payload);

/// A name that a folder may contain: not empty, too long, "." or "..", without '/' and NUL.
bool isEntryName(std::string_view name);

} // namespace cairn::store

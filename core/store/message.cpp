// SPDX-License-Identifier: Apache-2.0
#include "core/store/message.h"

#include "core/base/stored_sentence.h"

#include <algorithm>
#include <array>

namespace cairn::store {
namespace {

constexpr std::size_t kPartBytes = kMaxPayload / 2; ///< a listing is cut here

Error badMessage(Sentence what) {
    return fail(ErrorCode::Io, "The other end of the connection sent an invalid message")
        .butFound(std::move(what));
}

void putNames(WireWriter& out, const std::vector<std::string>& names) {
    out.put(static_cast<std::uint32_t>(names.size()));
    for (const std::string& name : names) {
        out.put(std::string_view(name));
    }
}

std::vector<std::string> getNames(WireReader& in) {
    std::vector<std::string> names;
    const auto count = in.get<std::uint32_t>();
    for (std::uint32_t i = 0; i < count && in.ok(); ++i) { // each takes four bytes at least
        names.emplace_back(in.text());
    }
    return names;
}

/// The folder of an answer, beneath the opened one.
bool isInner(const std::vector<std::string>& names) {
    return names.size() <= kMaxLevels && std::ranges::all_of(names, isEntryName);
}

/// What reading can fail with; any other code of a far end becomes Io, also Cancelled: only the
/// user of the near end cancels.
constexpr auto kCodes = std::to_array<ErrorCode>(
    {ErrorCode::Io, ErrorCode::NotFound, ErrorCode::PermissionDenied, ErrorCode::NotRegularFile,
     ErrorCode::OutsideFolder, ErrorCode::ChangedOnDisk, ErrorCode::Truncated,
     ErrorCode::LimitExceeded, ErrorCode::InvalidArgument, ErrorCode::Unsupported,
     ErrorCode::OutOfMemory});

void putRead(WireWriter& out, const ReadRequest& request) {
    putFolder(out, request.file.folder);
    out.put(std::string_view(request.file.name));
    putIdentity(out, request.identity);
    out.put(static_cast<std::uint32_t>(request.ranges.size()));
    for (const ByteRange& range : request.ranges) {
        out.put(range.offset);
        out.put(range.length);
    }
}

Result<ReadRequest> getRead(WireReader& in, std::uint64_t most) {
    ReadRequest request;
    request.file.folder = getFolder(in);
    request.file.name = in.text();
    request.identity = getIdentity(in);
    const auto count = in.get<std::uint32_t>();
    std::uint64_t bytes = 0;
    for (std::uint32_t i = 0; i < count && in.ok(); ++i) {
        ByteRange range;
        range.offset = in.get<std::uint64_t>();
        range.length = in.get<std::uint64_t>();
        bytes += std::min(range.length, most + 1);
        if (bytes > most || !range.fitsInto(request.identity.size)) {
            return badMessage("a range that is too long or beyond the file's end");
        }
        request.ranges.push_back(range);
    }
    return request;
}

} // namespace

bool isEntryName(std::string_view name) {
    return !name.empty() && name.size() <= kMaxEntryName && name != "." && name != ".." &&
           name.find('/') == std::string_view::npos && name.find('\0') == std::string_view::npos;
}

void putFolder(WireWriter& out, const FolderRef& folder) {
    out.put(std::string_view(folder.root));
    putNames(out, folder.inner);
}

FolderRef getFolder(WireReader& in) {
    FolderRef folder;
    folder.root = in.text();
    folder.inner = getNames(in);
    return folder;
}

void putIdentity(WireWriter& out, const FileIdentity& identity) {
    out.put(identity.device);
    out.put(identity.inode);
    out.put(identity.size);
    out.put(identity.mtimeNs);
    out.put(identity.ctimeNs);
}

FileIdentity getIdentity(WireReader& in) {
    FileIdentity identity;
    identity.device = in.get<std::uint64_t>();
    identity.inode = in.get<std::uint64_t>();
    identity.size = in.get<std::uint64_t>();
    identity.mtimeNs = in.get<std::int64_t>();
    identity.ctimeNs = in.get<std::int64_t>();
    if (identity.size > INT64_MAX) { // no file is so large: sums of its offsets cannot overflow
        in.fail();
    }
    return identity;
}

void putError(WireWriter& out, const Error& error) {
    const auto at = std::ranges::find(kCodes, error.code);
    out.put(static_cast<std::uint8_t>(at == kCodes.end() ? 0 : at - kCodes.begin()));
    for (const Sentence* each : {&error.message, &error.found, &error.expected, &error.hint}) {
        out.put(std::string_view(storedTogether(*each)));
    }
    out.put(std::string_view(error.where.file));
}

Error getError(WireReader& in) {
    const auto code = in.get<std::uint8_t>();
    std::array<Sentence, 4> sentences;
    for (Sentence& each : sentences) {
        each = restoredSentence(in.text());
    }
    Error error = fail(code < kCodes.size() ? kCodes.at(code) : ErrorCode::Io, sentences[0]);
    error.found = sentences[1];
    error.expected = sentences[2];
    error.hint = sentences[3];
    error.where.file = in.text();
    return in.ok() ? error : badMessage("a truncated error");
}

std::string pathThere(const FolderRef& folder, std::string_view below) {
    std::string path = folder.root;
    for (const std::string& name : folder.inner) {
        (path += '/') += name;
    }
    return (path += '/') += below;
}

std::uint64_t identityTag(const FileIdentity& identity) {
    std::uint64_t tag = 0;
    for (const std::uint64_t each :
         {identity.device, identity.inode, identity.size,
          static_cast<std::uint64_t>(identity.mtimeNs),
          static_cast<std::uint64_t>(identity.ctimeNs)}) { // steps of splitmix64
        tag += each + 0x9e37'79b9'7f4a'7c15U;
        tag = (tag ^ (tag >> 30U)) * 0xbf58'476d'1ce4'e5b9U;
        tag = (tag ^ (tag >> 27U)) * 0x94d0'49bb'1331'11ebU;
        tag ^= tag >> 31U;
    }
    return tag;
}

std::string encode(const ReadRequest& request) {
    WireWriter out;
    putRead(out, request);
    return out.take();
}

Result<ReadRequest> decodeRead(std::string_view payload) {
    WireReader in(payload);
    CAIRN_TRY(ReadRequest request, getRead(in, kMaxReadAtOnce));
    return in.ended() ? Result<ReadRequest>(std::move(request)) : badMessage("a read request");
}

std::string encode(const std::vector<ReadRequest>& requests) {
    WireWriter out;
    out.put(static_cast<std::uint32_t>(requests.size()));
    for (const ReadRequest& each : requests) {
        putRead(out, each);
    }
    return out.take();
}

Result<std::vector<ReadRequest>> decodeGather(std::string_view payload) {
    WireReader in(payload);
    std::vector<ReadRequest> requests;
    std::uint64_t bytes = 0;
    const auto count = in.get<std::uint32_t>();
    for (std::uint32_t i = 0; i < count && in.ok(); ++i) {
        CAIRN_TRY(ReadRequest request, getRead(in, kMaxGathered));
        for (const ByteRange& range : request.ranges) {
            bytes += range.length;
        }
        if (bytes > kMaxGathered) {
            return badMessage("a request for too many bytes");
        }
        requests.push_back(std::move(request));
    }
    return in.ended() ? Result<std::vector<ReadRequest>>(std::move(requests))
                      : badMessage("a request for ranges");
}

std::string encode(const GatheredBytes& gathered) {
    WireWriter out;
    out.put(gathered.file);
    out.put(gathered.offset);
    out.raw(gathered.bytes);
    return out.take();
}

Result<GatheredBytes> decodeGathered(std::string_view payload) {
    WireReader in(payload);
    GatheredBytes gathered;
    gathered.file = in.get<std::uint32_t>();
    gathered.offset = in.get<std::uint64_t>();
    gathered.bytes = in.rest();
    return in.ok() ? Result<GatheredBytes>(std::move(gathered)) : badMessage("gathered bytes");
}

std::string encode(const OpenPlaceRequest& request) {
    WireWriter out;
    out.put(std::string_view(request.path));
    out.put(static_cast<std::uint32_t>(request.known.size()));
    for (const std::uint64_t tag : request.known) {
        out.put(tag);
    }
    return out.take();
}

Result<OpenPlaceRequest> decodeOpen(std::string_view payload) {
    WireReader in(payload);
    OpenPlaceRequest request{std::string(in.text()), {}};
    const auto count = in.get<std::uint32_t>();
    if (count > kMaxKnownTags) {
        return badMessage("a request to open a place");
    }
    for (std::uint32_t i = 0; i < count && in.ok(); ++i) {
        request.known.push_back(in.get<std::uint64_t>());
    }
    return in.ended() ? Result<OpenPlaceRequest>(std::move(request))
                      : badMessage("a request to open a place");
}

std::string encode(const std::vector<FileRef>& files) {
    WireWriter out;
    out.put(static_cast<std::uint32_t>(files.size()));
    for (const FileRef& file : files) {
        putFolder(out, file.folder);
        out.put(std::string_view(file.name));
    }
    return out.take();
}

Result<std::vector<FileRef>> decodeStat(std::string_view payload) {
    WireReader in(payload);
    std::vector<FileRef> files;
    const auto count = in.get<std::uint32_t>();
    for (std::uint32_t i = 0; i < count && in.ok(); ++i) {
        FileRef file{getFolder(in), {}};
        file.name = in.text();
        files.push_back(std::move(file));
    }
    return in.ended() && count <= kMaxNamesInMessage
               ? Result<std::vector<FileRef>>(std::move(files))
               : badMessage("a status request");
}

std::string encode(const AheadBytes& ahead) {
    WireWriter out;
    putNames(out, ahead.inner);
    out.put(std::string_view(ahead.name));
    putIdentity(out, ahead.identity);
    out.put(ahead.offset);
    out.raw(ahead.bytes);
    return out.take();
}

Result<AheadBytes> decodeAhead(std::string_view payload) {
    WireReader in(payload);
    AheadBytes ahead;
    ahead.inner = getNames(in);
    ahead.name = in.text();
    ahead.identity = getIdentity(in);
    ahead.offset = in.get<std::uint64_t>();
    ahead.bytes = in.rest();
    const bool fits = ByteRange{ahead.offset, ahead.bytes.size()}.fitsInto(ahead.identity.size);
    return in.ok() && fits && isEntryName(ahead.name) && isInner(ahead.inner)
               ? Result<AheadBytes>(std::move(ahead))
               : badMessage("bytes beyond a file's end");
}

std::string encode(const HelloMessage& hello) {
    WireWriter out;
    out.put(hello.protocol);
    out.put(std::string_view(hello.version));
    out.put(std::string_view(hello.home));
    out.put(hello.nowNs);
    return out.take();
}

Result<HelloMessage> decodeHello(std::string_view payload) {
    WireReader in(payload);
    HelloMessage hello;
    hello.protocol = in.get<std::uint32_t>();
    hello.version = in.text();
    hello.home = in.text();
    if (hello.protocol >= 2) {
        hello.nowNs = in.get<std::int64_t>();
    }
    const bool isTime = hello.nowNs >= 0 && hello.nowNs <= INT64_MAX / 2; // time is added to it
    return in.ok() && isTime ? Result<HelloMessage>(std::move(hello)) : badMessage("a greeting");
}

std::vector<std::string> encodeListing(const std::vector<std::string>& inner,
                                       const std::vector<ListedEntry>& entries) {
    std::vector<std::string> parts;
    std::size_t at = 0;
    do {
        WireWriter rows;
        const std::size_t first = at;
        while (at < entries.size() && rows.size() < kPartBytes) {
            const auto& [entry, target] = entries[at++];
            rows.put(std::string_view(entry.name));
            rows.put(static_cast<std::uint8_t>(entry.kind));
            putIdentity(rows, entry.identity);
            rows.put(static_cast<std::uint8_t>(target ? 1 : 0));
            if (target && entry.kind != EntryKind::File) {
                putIdentity(rows, *target);
            }
        }
        WireWriter part;
        putNames(part, inner);
        part.put(static_cast<std::uint8_t>(at == entries.size() ? 1 : 0));
        part.put(static_cast<std::uint32_t>(at - first));
        part.raw(rows.bytes());
        parts.push_back(part.take());
    } while (at < entries.size());
    return parts;
}

Result<ListingPart> decodeListing(std::string_view payload) {
    WireReader in(payload);
    ListingPart part;
    part.inner = getNames(in);
    part.last = in.get<std::uint8_t>() != 0;
    const auto count = in.get<std::uint32_t>();
    for (std::uint32_t i = 0; i < count && in.ok(); ++i) {
        ListedEntry listed;
        listed.entry.name = in.text();
        const auto kind = in.get<std::uint8_t>();
        listed.entry.kind = static_cast<EntryKind>(kind);
        listed.entry.identity = getIdentity(in);
        if (in.get<std::uint8_t>() != 0) {
            listed.file =
                listed.entry.kind == EntryKind::File ? listed.entry.identity : getIdentity(in);
        }
        if (kind > static_cast<std::uint8_t>(EntryKind::Other) ||
            (in.ok() && !isEntryName(listed.entry.name))) {
            return badMessage("a name that no folder can contain");
        }
        part.entries.push_back(std::move(listed));
    }
    return in.ended() && isInner(part.inner) ? Result<ListingPart>(std::move(part))
                                             : badMessage("a listing");
}

std::string encodeWords(const std::vector<std::string>& words) {
    WireWriter out;
    putNames(out, words);
    return out.take();
}

Result<std::vector<std::string>> decodeWords(std::string_view payload) {
    WireReader in(payload);
    std::vector<std::string> words = getNames(in);
    return in.ended() ? Result<std::vector<std::string>>(std::move(words))
                      : badMessage("a list of words");
}

} // namespace cairn::store

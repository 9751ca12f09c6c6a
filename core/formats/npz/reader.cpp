// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/codec/zip/zip_archive.h"
#include "core/formats/common/archives/deflate_codec.h"
#include "core/formats/common/members/file_data.h"
#include "core/formats/common/numpy/npy_array.h"
#include "core/formats/format.h"
#include "core/formats/npz/layout.h"
#include "core/model/role_decision.h"

#include <algorithm>
#include <array>
#include <map>

// Archives of arrays, as numpy.savez, numpy.savez_compressed and mlx.core.savez write them.
// README.md has the byte map.

namespace cairn::formats::npz {
namespace {

constexpr auto kGlobs = std::to_array<std::string_view>({"*.npz"});
constexpr auto kEndings = std::to_array<std::string_view>({".npz"});
constexpr std::string_view kZipMagic = "PK\x03\x04";
constexpr std::string_view kSuffix = ".npy";
constexpr std::size_t kFirstRead = 256; ///< enough for the header of most arrays

/// The first entry's name, from its local header.
std::string_view firstName(std::span<const std::byte> head) {
    if (head.size() < 30) {
        return {};
    }
    const std::size_t length = loadLittle<std::uint16_t>(head, 26);
    return asText(head).substr(30, length);
}

Match probe(const Candidate& candidate) {
    if (candidate.isFolder) {
        return Match::No;
    }
    const std::string_view head = asText(candidate.head);
    const bool named = candidate.path.extension() == ".npz";
    if (head.starts_with(kZipMagic)) {
        if (firstName(candidate.head).ends_with(kSuffix)) {
            return Match::Yes;
        }
        const bool inside = asText(candidate.tail).find(kSuffix) != std::string_view::npos;
        return named || inside ? Match::Maybe : Match::No;
    }
    return named ? Match::Maybe : Match::No;
}

class Reader {
public:
    Reader(ZipArchive zip, CheckpointData& data)
        : m_zip(std::move(zip)), m_data(data), m_arrays(data) {}

    Result<void> read(const CancelToken& cancel) {
        m_data.tensors.reserve(m_zip.entries().size());
        for (const ZipEntry& entry : m_zip.entries()) {
            CAIRN_CHECK(cancel.check());
            if (entry.isFolder()) {
                continue;
            }
            if (auto added = addEntry(entry); !added) {
                complain(std::move(added).error(), entry);
            }
        }
        m_arrays.noteNameless();
        return {};
    }

    [[nodiscard]] Value values() const { return m_arrays.values(); }

private:
    void complain(Error error, const ZipEntry& entry) {
        if (error.where.tensor.empty()) {
            error.where.tensor = std::string(entry.name);
        }
        m_data.completeness = Completeness::Incomplete;
        if (m_data.notices.size() < 500) {
            m_data.notices.push_back({Severity::Error, std::move(error)});
        }
        if (m_data.why.size() < 20) {
            m_data.why.push_back(sentence("A member cannot be read: %1", entry.name));
        }
    }

    Result<void> addEntry(const ZipEntry& entry) {
        NpyPlace place;
        place.file = FileIndex(0);
        place.size = entry.size;
        place.where = m_data.files.front().path;
        CAIRN_TRY(place.stored, m_zip.dataRange(entry, &m_headers));
        place.offset = place.stored.offset;
        ByteSourcePtr content;
        if (!entry.stored() || entry.encrypted() || entry.size != entry.compressedSize) {
            CAIRN_TRY(content, m_zip.openEntry(entry)); // reports why an entry cannot be opened
        }
        const auto first = std::min<std::uint64_t>(entry.size, kFirstRead);
        CAIRN_TRY(auto head, readHead(entry, place, content, first));
        const std::size_t magic = std::min(head.size(), kNpyMagic.size());
        if (!asText(head).starts_with(kNpyMagic.substr(0, magic)) || head.empty()) {
            return noArray(entry);
        }
        CAIRN_TRY(const std::uint64_t length, npyHeaderLength(head));
        if (length > head.size() && length <= entry.size) {
            CAIRN_TRY(head, readHead(entry, place, content, length));
        }
        CAIRN_TRY(const NpyHeader header, parseNpyHeader(head));
        if (content != nullptr) {
            place.codec = codecFor(header.dataOffset);
        } else { // 0 may mean that the writer did not compute it
            m_data.checksums.push_back(
                {FileIndex(0), place.stored, entry.crc32, std::string(entry.name)});
        }
        std::string name(entry.name);
        if (name.size() > kSuffix.size() && name.ends_with(kSuffix)) {
            name.resize(name.size() - kSuffix.size());
        }
        m_arrays.add(std::move(name), header, place);
        return {};
    }

    Result<std::vector<std::byte>> readHead(const ZipEntry& entry, const NpyPlace& place,
                                            const ByteSourcePtr& content, std::uint64_t length) {
        std::vector<std::byte> head(static_cast<std::size_t>(length));
        if (content != nullptr) {
            CAIRN_CHECK(content->readAt(0, head));
        } else {
            CAIRN_CHECK(m_headers.read(*m_zip.source(), place.offset, head, entry.limit));
        }
        return head;
    }

    /// A member that is not an array, which numpy.load returns as bytes.
    Result<void> noArray(const ZipEntry& entry) {
        if (entry.name.ends_with(kSuffix)) {
            return fail(ErrorCode::NpyBadHeader,
                        "A member is not a NumPy array: the magic string is missing")
                .at(entry.localHeaderOffset);
        }
        if (++m_others <= 50) {
            m_data.notices.push_back(
                {Severity::Warning, fail(ErrorCode::StrayFile, "A member is not an array")
                                        .inFile(m_data.files.front().path)
                                        .inField(std::string(entry.name))
                                        .at(entry.localHeaderOffset)});
        }
        return {};
    }

    /// Deflated arrays whose headers have the same length share a codec.
    CodecId codecFor(std::uint64_t firstByte) {
        const auto [codec, isNew] = m_codecs.try_emplace(firstByte);
        if (isNew) {
            if (m_deflated == nullptr) {
                m_deflated = indexDeflated(m_zip);
            }
            codec->second = m_data.addCodec(makeDeflateCodec(m_deflated, firstByte));
        }
        return codec->second;
    }

    ZipArchive m_zip;
    CheckpointData& m_data;
    NpyArrays m_arrays;
    ZipHeaderWindow m_headers;
    DeflatedPtr m_deflated;
    std::map<std::uint64_t, CodecId> m_codecs;
    std::size_t m_others = 0;
};

Role commonRole(const CheckpointData& data) {
    return data.tensors.empty() ? Role::Other : data.tensors.front().role;
}

Result<CheckpointPtr> open(const OpenRequest& request) {
    CAIRN_TRY(const ByteSourcePtr source, request.openSelf());
    auto zip = openZip(source);
    if (!zip) {
        return std::move(zip).error().inFile(request.name);
    }
    CheckpointData data = fileData("npz", request, *source);
    data.framework = "numpy";
    data.completeness = Completeness::Complete;
    std::ranges::copy(zip->notices(), std::back_inserter(data.notices));
    Reader reader(std::move(*zip), data);
    CAIRN_CHECK(reader.read(request.cancel));
    const auto broken = std::ranges::find(data.notices, Severity::Error, &Notice::severity);
    if (data.tensors.empty() && broken != data.notices.end()) {
        return Error(broken->error).inFile(request.name);
    }
    if (data.tensors.empty() && !data.notices.empty()) {
        return fail(ErrorCode::NotACheckpoint, "No member of the archive is a readable array")
            .inFile(request.name)
            .at(0)
            .butFound(verbatim(describe(data.notices.front().error)));
    }
    decideRolesByName(data.tensors);
    data.files.front().role = commonRole(data);
    for (Notice& notice : data.notices) {
        if (notice.error.where.file.empty()) {
            notice.error.where.file = request.name;
        }
    }
    data.loadValues = [values = reader.values()](const CancelToken&) {
        return Result<LoadedValues>(values);
    };
    return Checkpoint::make(std::move(data));
}

} // namespace

extern const FormatInfo kFormat;
const FormatInfo kFormat{.id = "npz",
                         .title = "NumPy archive",
                         .globs = kGlobs,
                         .probe = probe,
                         .open = open,
                         .layout = layOut,
                         .writes = {.endings = kEndings, .reader = "numpy.load"}};

} // namespace cairn::formats::npz

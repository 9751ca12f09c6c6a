// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/codec/json/json_value.h"
#include "core/codec/zip/zip_archive.h"
#include "core/formats/common/archives/archive_members.h"
#include "core/formats/common/archives/zip_tail.h"
#include "core/formats/common/members/file_data.h"
#include "core/formats/common/members/folder_notices.h"
#include "core/formats/common/members/member_joiner.h"
#include "core/formats/common/text/json_values.h"
#include "core/formats/format.h"
#include "core/io/member_folder.h"
#include "core/model/saved_values.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

// Stable-Baselines3 models: a zip of torch.save files and of the algorithm's fields as JSON, or the
// folder with its unpacked members. README.md.

namespace cairn::formats::stable_baselines3 {
namespace {

constexpr auto kGlobs = std::to_array<std::string_view>({"*.zip"});
constexpr std::string_view kVersion = "_stable_baselines3_version";
constexpr std::string_view kData = "data";
constexpr std::string_view kSystem = "system_info.txt";
constexpr std::string_view kState = ".pth";
constexpr std::uint64_t kMaxData = std::uint64_t{64} << 20U;
constexpr std::uint64_t kMaxText = std::uint64_t{1} << 20U;
constexpr std::size_t kMostStates = 4096;

Match probe(const Candidate& candidate) {
    if (candidate.isFolder) {
        return candidate.hasEntry(kVersion) && candidate.hasEntryEnding(kState) ? Match::Yes
                                                                                : Match::No;
    }
    const bool zip = asText(candidate.head).starts_with("PK\3\4");
    return zip && zipTailNames(candidate.tail, kVersion) ? Match::Yes : Match::No;
}

/// Reads the members of one model from an archive or a folder.
class ModelReader {
public:
    /// `archive`: that contains the members, or null.
    ModelReader(const OpenRequest& request, FolderPtr members, const ZipArchive* archive = nullptr)
        : m_request(request), m_members(std::move(members)), m_archive(archive),
          m_joiner(request, "stable_baselines3", "stable-baselines3") {}

    Result<CheckpointData> read() {
        CAIRN_TRY(const auto entries, m_members->list());
        for (const FolderEntry& entry : entries) {
            CAIRN_CHECK(m_request.cancel.check());
            if (entry.kind == EntryKind::File && entry.name.size() > kState.size() &&
                entry.name.ends_with(kState)) {
                CAIRN_CHECK(addState(entry.name));
            }
        }
        if (m_joiner.members().empty()) {
            return m_joiner.firstError()
                       ? *m_joiner.firstError()
                       : fail(ErrorCode::NotACheckpoint, "This model has no weights")
                             .inFile(m_request.path.string())
                             .expecting("policy.pth");
        }
        CAIRN_CHECK(addFields());
        if (!m_request.name.empty()) { // in a folder nothing shows whether a text file is complete
            CAIRN_CHECK(addText(kVersion));
            CAIRN_CHECK(addText(kSystem));
        }
        return std::move(m_joiner).finish();
    }

private:
    Result<void> addState(const std::string& name) {
        if (m_joiner.members().size() >= kMostStates) {
            return fail(ErrorCode::LimitExceeded, "The model has too many members")
                .inFile(m_request.path.string());
        }
        CAIRN_CHECK(m_joiner.take(name, m_request.openInside(m_members, name),
                                  {.key = name.substr(0, name.size() - kState.size())}));
        return {};
    }

    /// A member, compared with its checksum if it is in an archive and at most `limit` bytes.
    Result<ByteSourcePtr> openCompared(std::string_view name, std::uint64_t limit) const {
        const ZipEntry* entry = m_archive == nullptr ? nullptr : m_archive->find(name);
        if (entry == nullptr || entry->size > limit) {
            return m_members->openFile(name);
        }
        CAIRN_TRY(auto bytes, m_archive->readEntry(*entry, limit));
        return makeMemorySource(std::move(bytes), std::string(name));
    }

    [[nodiscard]] bool isCompared(std::string_view name) const {
        const ZipEntry* entry = m_archive == nullptr ? nullptr : m_archive->find(name);
        return entry != nullptr && entry->crc32 != 0;
    }

    /// A model may be saved without its fields.
    Result<void> addFields() {
        if (!m_members->hasFile(kData)) {
            return {};
        }
        auto json = readJsonFile(openCompared(kData, kMaxData), kMaxData);
        if (!json && json.error().code == ErrorCode::BadChecksum) { // the tensors do not need it
            m_joiner.addDocument(Value(kData), unreadableValue(json.error()), true);
            return m_joiner.takeFailure(std::string(kData), std::move(json).error(), false);
        }
        if (!json) {
            return m_joiner.takeFailure(std::string(kData), std::move(json).error());
        }
        if (const JsonValue* steps = json->find("num_timesteps")) {
            const auto count = steps->asInteger();
            m_joiner.data().step = count ? std::optional(*count) : std::nullopt;
        }
        m_joiner.addDocument(Value(kData), valueFromJson(*json), isCompared(kData));
        return {};
    }

    Result<void> addText(std::string_view name) {
        if (!m_members->hasFile(name)) {
            return {};
        }
        const auto text = openCompared(name, kMaxText).and_then([](const ByteSourcePtr& source) {
            return readRange(*source, {0, std::min(source->size(), kMaxText)});
        });
        if (!text) {
            return m_joiner.takeFailure(std::string(name), text.error());
        }
        m_joiner.addDocument(Value(name), Value(asText(*text)), isCompared(name));
        return {};
    }

    const OpenRequest& m_request;
    FolderPtr m_members;
    const ZipArchive* m_archive;
    MemberJoiner m_joiner;
};

/// The archive's members as a folder. Fails for compressed members, which have no range in the
/// file.
Result<FolderPtr> folderOf(const ZipArchive& zip, const OpenRequest& request,
                           CheckpointData& data) {
    std::vector<FolderMember> members;
    ZipHeaderWindow headers;
    for (const ZipEntry& entry : zip.entries()) {
        CAIRN_CHECK(request.cancel.check());
        if (entry.isFolder()) {
            continue;
        }
        if (!entry.stored()) {
            return fail(ErrorCode::Unsupported, "The members of this archive are compressed")
                .inFile(request.name)
                .at(entry.localHeaderOffset)
                .inField(std::string(entry.name))
                .expecting("uncompressed members, as stable-baselines3 writes them")
                .withHint("Unpack the archive into an empty folder and open that folder");
        }
        auto range = zip.dataRange(entry, &headers);
        if (!range) {
            return std::move(range).error().inFile(request.name);
        }
        if (entry.crc32 != 0) {
            data.checksums.push_back({FileIndex(0), *range, entry.crc32, std::string(entry.name)});
        }
        members.push_back({std::string(entry.name), *range});
    }
    return makeMemberFolder(zip.source(), members, request.path);
}

Result<CheckpointPtr> openArchive(const OpenRequest& request) {
    CAIRN_TRY(const ByteSourcePtr source, request.openSelf());
    auto zip = openZip(source);
    if (!zip) {
        return std::move(zip).error().inFile(request.name);
    }
    const CheckpointData whole = fileData("stable_baselines3", request, *source);
    CheckpointData own = whole; // the archive's own data; members are added as files
    CAIRN_TRY(FolderPtr members, folderOf(*zip, request, own));
    CAIRN_TRY(CheckpointData data, ModelReader(request, std::move(members), &*zip).read());
    moveIntoArchive(data, whole.files[0]);
    std::erase_if(data.checksums,
                  [](const StoredChecksum& sum) { // checksums inside the members' archives
                      return sum.file == FileIndex(0);
                  });
    std::ranges::move(own.checksums, std::back_inserter(data.checksums));
    data.notices.insert(data.notices.begin(), zip->notices().begin(), zip->notices().end());
    return Checkpoint::make(std::move(data));
}

Result<CheckpointPtr> openFolder(const OpenRequest& request) {
    CAIRN_TRY(CheckpointData data, ModelReader(request, request.folder).read());
    return Checkpoint::make(std::move(data));
}

Result<CheckpointPtr> open(const OpenRequest& request) {
    return request.name.empty() ? openFolder(request) : openArchive(request);
}

} // namespace

extern const FormatInfo kFormat;
const FormatInfo kFormat{.id = "stable_baselines3",
                         .title = "Stable-Baselines3 models",
                         .globs = kGlobs,
                         .probe = probe,
                         .open = open};

} // namespace cairn::formats::stable_baselines3

// SPDX-License-Identifier: Apache-2.0
#include "core/formats/numpy_shards/joiner.h"

#include "core/base/endian.h"
#include "core/formats/common/members/file_data.h"
#include "core/formats/common/members/folder_notices.h"
#include "core/formats/common/text/json_values.h"
#include "core/formats/numpy_shards/folder_choice.h"
#include "core/formats/numpy_shards/leftover_arrays.h"
#include "core/formats/numpy_shards/listed_tensors.h"
#include "core/formats/numpy_shards/manifest.h"
#include "core/formats/numpy_shards/member_files.h"
#include "core/io/folder.h"
#include "core/model/checkpoint.h"
#include "core/model/names/role_words.h"
#include "core/model/names/tokens.h"
#include "core/model/role_decision.h"

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

/// Opens a folder as one checkpoint.
/// Each file is opened by its own format. The tensors in the manifest come first and take their
/// arrays out of the files. The remaining arrays keep their names, with the file's prefix, or with
/// the shard's label if several files have the same name. Arrays are never joined only because they
/// look alike, because that would silently give wrong weights.
namespace cairn::formats::numpy_shards {
namespace {

constexpr std::uint64_t kMaxManifest = std::uint64_t{64} << 20U;
constexpr std::uint64_t kMaxDocument = std::uint64_t{1} << 20U;
constexpr std::size_t kMaxDocuments = 16;
constexpr std::size_t kMaxScalars = 100'000;

/// Names of the checkpoint's files -> positions in CheckpointData::files.
using FilePlaces = std::unordered_map<std::string, std::size_t>;

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

/// Reads checksum files in the folder: SHA256SUMS, md5sums.txt, checksums.txt ("<hex> <name>" in
/// each line), and shard_0.npz.sha256. Unreadable files and other lines are skipped. At most 4 MiB
/// per file.
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

class FolderJoiner {
public:
    FolderJoiner(const OpenRequest& request, const FolderNames& names)
        : m_request(request), m_names(names), m_files(request, m_data) {
        m_data.format = "numpy-shards";
        m_data.framework = "numpy";
        m_data.path = request.path;
    }

    Result<CheckpointPtr> join() {
        readManifests();
        m_choice = chooseFiles(m_names, m_manifest);
        CAIRN_CHECK(m_files.open(m_choice));
        ListedTensors listed(m_data, m_manifest, m_files);
        listed.join();
        addLeftoverArrays(m_data, m_files);
        noteNameless(listed.typed());
        addDigests();
        reportFindings();
        addValues();
        decideRoles();
        return Checkpoint::make(std::move(m_data));
    }

private:
    void note(Severity severity, Error error) { addNotice(m_data, severity, std::move(error)); }
    void incomplete(Sentence why) { markIncomplete(m_data, std::move(why)); }

    /// A file named after a part of a loop's state ("optimizer_shard_0.npz") contains that part.
    void decideRoles() {
        decideRolesByName(m_data.tensors);
        for (const ChosenFile& file : m_choice.files) {
            const std::string stem = names::lowered(file.prefix.substr(0, file.prefix.find('.')));
            const auto key = names::roleOfKey(stem);
            const auto role = key ? key : names::roleOfFile(stem);
            if (!role) {
                continue;
            }
            for (TensorEntry& tensor : m_data.tensors) {
                if (tensor.name.starts_with(file.prefix)) {
                    tensor.role = *role;
                    tensor.roleBasis = RoleBasis::Structure;
                }
            }
        }
    }

    void readManifests() {
        for (const std::string& name : m_names.manifests) {
            const auto source = m_request.folder->openFile(name);
            const auto json = readJsonFile(source, kMaxManifest);
            if (!json) {
                note(Severity::Error, Error(json.error()).inFile(name));
                incomplete(sentence("The manifest cannot be read: %1", name));
                continue;
            }
            Manifest manifest = readManifest(*json, name);
            addManifestFile(name, **source);
            if (manifest.useful() && !m_manifest.useful()) {
                m_manifest = std::move(manifest);
            } else {
                m_documents.push_back(
                    {Value(name.substr(0, name.size() - 5)), valueFromJson(*json)});
            }
        }
    }

    void addManifestFile(const std::string& name, const ByteSource& source) {
        m_data.addFile(fileIn(m_request.folder, name, source.identity()));
    }

    /// One notice is enough; none for arrays whose type the manifest records.
    void noteNameless(const std::set<std::string>& typed) {
        for (const Notice& notice : m_files.nameless()) {
            if (!typed.contains(notice.error.where.tensor)) {
                note(notice.severity, notice.error);
                return;
            }
        }
    }

    void addDigests() {
        FilePlaces places;
        for (std::size_t i = 0; i < m_data.files.size(); ++i) {
            if (!m_data.files[i].missing) {
                places.emplace(m_data.files[i].path, i);
            }
        }
        for (const ManifestFile& file : m_manifest.files) {
            const auto place = places.find(file.name);
            if (place == places.end()) {
                if (!file.listed && m_files.named(file.name) == nullptr) {
                    addAbsent(file.name);
                }
                continue;
            }
            const std::uint64_t size = m_data.files[place->second].identity.size;
            if (file.size && *file.size != size) {
                note(Severity::Error,
                     fail(*file.size > size ? ErrorCode::Truncated : ErrorCode::BadIndex,
                          "The file's length does not match the manifest")
                         .inFile(file.name)
                         .butFound(sentence("%1 bytes", size))
                         .expecting(sentence("%1 bytes", *file.size)));
                incomplete(sentence("A file's length does not match the manifest: %1", file.name));
            }
            for (const auto& [algorithm, hex] : file.digests) {
                m_data.digests.push_back(
                    {FileIndex(place->second), algorithm, hex, m_manifest.file});
            }
        }
        for (StoredDigest& digest : digestsBeside(*m_request.folder, m_request.entries, places)) {
            m_data.digests.push_back(std::move(digest));
        }
    }

    /// Adds a file that only a checksum mentions: if it is an array that does not exist, it is
    /// missing.
    void addAbsent(const std::string& name) {
        const bool array = name.ends_with(".npz") || name.ends_with(".npy");
        if (array && !m_request.folder->hasFile(name)) {
            m_files.addMissing(name);
            incomplete(sentence("A file that the manifest names is missing: %1", name));
        }
    }

    void reportFindings() {
        for (const std::string& name : m_choice.strays) {
            note(Severity::Warning,
                 fail(ErrorCode::StrayFile, "The manifest does not name this file").inFile(name));
        }
        for (const std::string& name : m_choice.stale) {
            note(Severity::Warning,
                 fail(ErrorCode::StaleShard, "The shard is left over from another save")
                     .inFile(name));
        }
        for (const std::string& name : m_choice.others) {
            note(Severity::Info,
                 fail(ErrorCode::StrayFile, "The folder also contains shards of another step")
                     .inFile(name));
        }
        for (const std::string& name : m_choice.uneven) {
            note(Severity::Info, fail(ErrorCode::ShardsUneven,
                                      "The file's size differs widely from that of its neighbours")
                                     .inFile(name)
                                     .butFound(sizeOf(name)));
        }
        const bool whole = m_data.completeness != Completeness::Incomplete;
        if (whole && m_choice.counted) {
            m_data.completeness = Completeness::Complete;
        } else if (whole) {
            m_data.why.emplace_back("No manifest records the number of files");
        }
        for (const Sentence& sentence : m_choice.sizes) {
            if (m_data.why.size() < 20) {
                m_data.why.push_back(sentence);
            }
        }
    }

    Sentence sizeOf(const std::string& name) const {
        for (const CheckpointFile& file : m_data.files) {
            if (file.path == name) {
                return sentence("%1 bytes", file.identity.size);
            }
        }
        return {};
    }

    void addValues() {
        std::vector<ValueItem> items;
        for (const ValueItem& item : m_manifest.values.items()) {
            items.push_back(item);
        }
        for (std::size_t i = 0; i < m_data.tensors.size() && items.size() < kMaxScalars; ++i) {
            const TensorEntry& tensor = m_data.tensors[i];
            if (tensor.shape.empty() && !tensor.pieces.empty() &&
                dtypeInfo(tensor.dtype).kind != DtypeKind::Bytes) {
                items.push_back({Value(tensor.name), Value(TensorIndex(i))});
            }
        }
        items.insert(items.end(), m_documents.begin(), m_documents.end());
        for (const std::string& name : m_names.documents) {
            if (m_read++ >= kMaxDocuments) {
                break;
            }
            const auto json = readJsonFile(m_request.folder->openFile(name), kMaxDocument);
            if (json) {
                items.push_back({Value(name.substr(0, name.size() - 5)), valueFromJson(*json)});
            } else {
                note(Severity::Warning, Error(json.error()).inFile(name));
            }
        }
        if (m_choice.position) {
            m_data.step = m_choice.position;
        }
        Value root = items.empty() ? Value() : Value::dict(std::move(items));
        m_data.loadValues = [root](const CancelToken&) { return Result<LoadedValues>(root); };
    }

    const OpenRequest& m_request;
    const FolderNames& m_names;
    Manifest m_manifest;
    FolderChoice m_choice;
    CheckpointData m_data;
    MemberFiles m_files;
    std::vector<ValueItem> m_documents;
    std::size_t m_read = 0;
};

} // namespace

Result<CheckpointPtr> joinFolder(const OpenRequest& request, const FolderNames& names) {
    return FolderJoiner(request, names).join();
}

} // namespace cairn::formats::numpy_shards

// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/codec/json/json_value.h"
#include "core/codec/zip/zip_archive.h"
#include "core/formats/common/members/file_data.h"
#include "core/formats/common/text/json_values.h"
#include "core/formats/keras/layout.h"
#include "core/formats/keras/weights_file.h"
#include "core/model/saved_values.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace cairn::formats::keras {
namespace {

constexpr auto kGlobs = std::to_array<std::string_view>(
    {"*.keras", "*.weights.h5", "*.h5", "*.hdf5", "*.weights.json"});
constexpr auto kWrittenEndings = std::to_array<std::string_view>({".weights.h5"});
constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";
constexpr std::string_view kWeights = "model.weights.h5";
constexpr std::string_view kShardIndex = ".weights.json";
constexpr std::string_view kSaveName = ".weights"; ///< suffix of an index and its shards
constexpr std::uint64_t kMaxDocument = std::uint64_t{64} << 20U;

std::uint64_t placeAfter(std::uint64_t at) {
    constexpr std::uint64_t kFirst = 512;
    return at == 0 ? kFirst : 2 * at;
}

std::string_view textOf(std::span<const std::byte> bytes) {
    return asText(bytes);
}

/// The signature is at 0, or after a user block of 512, 1024, 2048 … bytes.
bool isHdf5(std::span<const std::byte> head) {
    const std::string_view text = textOf(head);
    for (std::uint64_t at = 0; at < text.size(); at = placeAfter(at)) {
        if (text.substr(at).starts_with(kSignature)) {
            return true;
        }
    }
    return false;
}

bool isHdf5(const ByteSource& source) {
    for (std::uint64_t at = 0; ByteRange{at, kSignature.size()}.fitsInto(source.size());
         at = placeAfter(at)) {
        const auto bytes = readRange(source, {at, kSignature.size()});
        if (!bytes || textOf(*bytes) == kSignature) {
            return bytes.has_value();
        }
    }
    return false;
}

/// For a user block that is longer than the probe's head; searched only if the name suggests HDF5.
bool hasLongUserBlock(const Candidate& candidate) {
    constexpr auto kEndings =
        std::to_array<std::string_view>({".h5", ".hdf5", ".hdf", ".he5", ".mat", ".nc"});
    const std::string ending = candidate.path.extension().string();
    if (std::ranges::find(kEndings, ending) == kEndings.end()) {
        return false;
    }
    const std::filesystem::path parent = candidate.path.parent_path();
    const auto source =
        Folder::open(parent.empty() ? "." : parent).and_then([&](const FolderPtr& folder) {
            return folder->openFile(candidate.path.filename().string());
        });
    return source && isHdf5(**source);
}

bool isShardIndex(const FolderEntry& entry) {
    return entry.kind == EntryKind::File && entry.name.ends_with(kShardIndex);
}

/// The index of a folder; empty: none, or several saves.
std::string shardIndexIn(std::span<const FolderEntry> entries) {
    const auto at = std::ranges::find_if(entries, isShardIndex);
    const bool one = at != entries.end() && std::ranges::count_if(entries, isShardIndex) == 1;
    return one ? at->name : std::string();
}

/// "m-02_00001.weights.h5" -> "m-02"; empty: not a shard.
std::string_view stemOfShard(std::string_view name) {
    constexpr std::string_view kEnd = ".weights.h5";
    if (!name.ends_with(kEnd)) {
        return {};
    }
    name.remove_suffix(kEnd.size());
    const std::size_t bar = name.rfind('_');
    const std::string_view digits =
        bar == std::string_view::npos ? std::string_view() : name.substr(bar + 1);
    const bool numbered =
        digits.size() >= 5 && digits.find_first_not_of("0123456789") == std::string_view::npos;
    return numbered ? name.substr(0, bar) : std::string_view();
}

/// Several sharded saves in one folder: "m-02.weights" consists of "m-02.weights.json" and its
/// shards.
std::vector<NamedSave> savesIn(std::span<const FolderEntry> entries) {
    std::map<std::string_view, NamedSave> byStem;
    for (const FolderEntry& entry : entries) {
        if (isShardIndex(entry)) {
            const std::string_view name = entry.name;
            const std::string_view stem = name.substr(0, name.size() - kShardIndex.size());
            byStem.emplace(
                stem, NamedSave{std::string(stem) + std::string(kSaveName), {entry.name}, true});
        }
    }
    if (byStem.size() < 2) { // the folder itself is the checkpoint
        return {};
    }
    for (const FolderEntry& entry : entries) {
        const auto save = byStem.find(stemOfShard(entry.name));
        if (entry.kind == EntryKind::File && save != byStem.end()) {
            save->second.files.push_back(entry.name);
        }
    }
    std::vector<NamedSave> saves;
    for (auto& [stem, save] : byStem) {
        saves.push_back(std::move(save));
    }
    return saves;
}

Match probe(const Candidate& candidate) {
    if (candidate.isFolder) {
        const bool saved = candidate.hasEntry(kWeights) && candidate.hasEntry("config.json");
        return saved || !shardIndexIn(candidate.entries).empty() ? Match::Yes : Match::No;
    }
    if (isHdf5(candidate.head)) {
        return Match::Yes;
    }
    const std::string_view head = textOf(candidate.head);
    const std::string_view tail = textOf(candidate.tail);
    if (head.starts_with("PK") && tail.find(kWeights) != std::string_view::npos) {
        return Match::Yes;
    }
    if (head.starts_with("PK\3\4") && candidate.path.extension() == ".keras") {
        return Match::Maybe; // may be truncated: the directory is at the end
    }
    const std::string name = candidate.path.filename().string();
    const bool index = name.ends_with(kShardIndex) || name.ends_with(kSaveName);
    const bool named = index && head.find("weight_map") != std::string_view::npos;
    return named || hasLongUserBlock(candidate) ? Match::Yes : Match::No;
}

/// Reads all parts of one saved model.
class KerasReader {
public:
    explicit KerasReader(const OpenRequest& request) : m_request(request) {
        m_data.format = "keras";
        m_data.framework = "keras";
        m_data.path = request.path;
        m_data.completeness = Completeness::Complete;
    }

    Result<CheckpointPtr> open() {
        if (m_request.name.empty()) {
            CAIRN_CHECK(openFolder());
        } else if (m_request.name.ends_with(kShardIndex)) {
            CAIRN_CHECK(addShards(m_request.name));
        } else {
            CAIRN_CHECK(openOne());
        }
        ValueRecords records = m_documents;
        const bool attributes = m_values.size() > m_documents.total();
        (m_weightsHaveChecksum ? records.later : records.unchecked) += attributes ? 1 : 0;
        m_data.loadValues =
            [loaded = LoadedValues(valuesWithTensors(m_data, std::move(m_values)), records)](
                const CancelToken&) -> Result<LoadedValues> { return loaded; };
        return Checkpoint::make(std::move(m_data));
    }

private:
    FileIndex addFile(const std::string& name, const ByteSource& source) {
        return m_data.addFile(fileIn(m_request.folder, name, source.identity()));
    }

    Result<void> addWeights(const std::string& name) {
        CAIRN_TRY(const ByteSourcePtr source, m_request.folder->openFile(name));
        const FileIndex file = addFile(name, *source);
        return addWeightsFile(m_data, file, source, {0, source->size()}, m_values,
                              m_request.cancel);
    }

    Result<void> openOne() {
        CAIRN_TRY(const ByteSourcePtr source, m_request.folder->openFile(m_request.name));
        const FileIndex file = addFile(m_request.name, *source);
        if (isHdf5(*source)) {
            m_data.framework =
                ""; // unknown: any program may write HDF5; its attributes may identify it
            CAIRN_CHECK(addWeightsFile(m_data, file, source, {0, source->size()}, m_values,
                                       m_request.cancel));
            const bool keras = std::ranges::any_of(m_values, [](const ValueItem& item) {
                return keyText(item.key) == "keras_version";
            });
            m_data.framework = keras || m_request.name.ends_with(".weights.h5") ? "keras" : "";
            return {};
        }
        return openArchive(source, file);
    }

    Result<void> openArchive(const ByteSourcePtr& source, FileIndex file) {
        CAIRN_TRY(const ZipArchive zip, openZip(source));
        for (const char* name : {"metadata.json", "config.json"}) {
            if (const ZipEntry* entry = zip.find(name)) {
                addDocument(name,
                            zip.readEntry(*entry, kMaxDocument).and_then([&](const auto& bytes) {
                                return Result<ByteSourcePtr>(makeMemorySource(bytes, name));
                            }),
                            entry->crc32 != 0);
            }
        }
        const ZipEntry* weights = zip.find(kWeights);
        if (weights == nullptr) {
            return fail(ErrorCode::NotACheckpoint, "The archive does not contain weights")
                .inFile(m_request.name)
                .expecting(verbatim(std::string(kWeights)));
        }
        if (!weights->stored()) {
            return fail(ErrorCode::Unsupported, "The weights in this archive are compressed")
                .inFile(m_request.name)
                .inField(std::string(kWeights))
                .withHint(
                    "Keras stores them uncompressed; unpack the archive and open model.weights.h5");
        }
        CAIRN_TRY(const ByteRange range, zip.dataRange(*weights));
        m_data.checksums.push_back({.file = file,
                                    .bytes = range,
                                    .crc32 = weights->crc32,
                                    .what = std::string(kWeights),
                                    .holdsValues = true});
        m_weightsHaveChecksum = weights->crc32 != 0;
        return addWeightsFile(m_data, file, source, range, m_values, m_request.cancel);
    }

    void addDocument(const std::string& name, const Result<ByteSourcePtr>& source,
                     bool compared = false) {
        const Value key(std::string_view(name).substr(0, name.find('.')));
        auto json = readJsonFile(source, kMaxDocument);
        if (json) {
            m_values.push_back({key, valueFromJson(*json)});
            ++(compared ? m_documents.compared : m_documents.unchecked);
            return;
        }
        Error error = std::move(json).error().inField(name);
        if (!m_request.name.empty()) { // a member of the archive
            error.where.file = m_request.name;
        }
        m_values.push_back({key, unreadableValue(error)});
        m_data.notices.push_back({Severity::Warning, std::move(error)});
    }

    Result<void> openFolder() {
        for (const char* name : {"metadata.json", "config.json"}) {
            if (m_request.folder->hasFile(name)) {
                addDocument(name, m_request.folder->openFile(name));
            }
        }
        if (m_request.folder->hasFile(kWeights)) {
            return addWeights(std::string(kWeights));
        }
        return addShards(shardIndexIn(m_request.entries));
    }

    /// {"metadata": …, "weight_map": {"/layers/dense/vars": file or [files]}}
    Result<void> addShards(const std::string& index) {
        CAIRN_TRY(const ByteSourcePtr source, m_request.folder->openFile(index));
        addFile(index, *source);
        CAIRN_TRY(const JsonValue json, readJsonFile(*source, kMaxDocument));
        const JsonValue* map = json.find("weight_map");
        std::set<std::string> seen;
        std::vector<std::string> names;
        for (const JsonMember& member :
             map == nullptr ? std::span<const JsonMember>() : map->members()) {
            for (const JsonValue& each : member.value.elements()) {
                names.emplace_back(each.asString().value_or(""));
            }
            if (const auto one = member.value.asString()) {
                names.emplace_back(*one);
            }
        }
        for (const std::string& name : names) {
            if (name.empty() || !seen.insert(name).second) {
                continue;
            }
            if (auto added = addWeights(name); !added) {
                if (added.error().code == ErrorCode::Cancelled) {
                    return added;
                }
                missing(name, std::move(added).error());
            }
        }
        if (seen.empty()) {
            return fail(ErrorCode::NotACheckpoint, "The index does not name any weight files")
                .inFile(index);
        }
        return {};
    }

    void missing(const std::string& name, Error error) {
        m_data.addFile(missingFile(m_request.folder, name));
        if (error.code == ErrorCode::NotFound) {
            error = fail(ErrorCode::MissingShard, "A shard that the index names is missing")
                        .inFile(name);
        }
        m_data.notices.push_back({Severity::Error, std::move(error)});
        m_data.completeness = Completeness::Incomplete;
        m_data.why.push_back(sentence("A shard is missing or cannot be read: %1", name));
    }

    const OpenRequest& m_request;
    CheckpointData m_data;
    std::vector<ValueItem> m_values;
    ValueRecords m_documents;
    bool m_weightsHaveChecksum = false; ///< of the complete HDF5 file in an archive
};

Result<CheckpointPtr> open(const OpenRequest& request) {
    return KerasReader(request).open();
}

} // namespace

extern const FormatInfo kFormat;
const FormatInfo kFormat{
    .id = "keras",
    .title = "Keras and HDF5",
    .globs = kGlobs,
    .probe = probe,
    .open = open,
    .layout = layOut,
    .savesIn = savesIn,
    .writes = {.endings = kWrittenEndings,
               .reader = "load_weights() of Keras 3, if its name ends with .weights.h5"},
};

} // namespace cairn::formats::keras

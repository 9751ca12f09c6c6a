// SPDX-License-Identifier: Apache-2.0
#include "core/formats/numpy_shards/joiner.h"

#include "core/formats/common/folder_notices.h"
#include "core/formats/common/json_values.h"
#include "core/formats/numpy_shards/checksum_files.h"
#include "core/formats/numpy_shards/folder_choice.h"
#include "core/formats/numpy_shards/manifest.h"
#include "core/formats/numpy_shards/member_files.h"
#include "core/formats/numpy_shards/tensor_join.h"
#include "core/model/names/role_words.h"
#include "core/model/names/tokens.h"
#include "core/model/role_decision.h"

#include <algorithm>
#include <set>
#include <unordered_map>

/// From files to one checkpoint.
///
/// Each file is opened by its own format. What a manifest states is done first: its tensors take
/// their arrays out of the files. What is left keeps its own name: under the file's prefix where
/// one file has it, under the shard's label where several files have the same. Nothing is put
/// together because it looks as if it belonged together: that silently makes wrong weights.
namespace cairn::formats::numpy_shards {
namespace {

constexpr std::uint64_t kMaxManifest = std::uint64_t{64} << 20U;
constexpr std::uint64_t kMaxDocument = std::uint64_t{1} << 20U;
constexpr std::size_t kMaxDocuments = 16;
constexpr std::size_t kMaxScalars = 100'000;

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
        joinListed();
        nameTheRest();
        noteNameless();
        addDigests();
        judge();
        addValues();
        decideRoles();
        return Checkpoint::make(std::move(m_data));
    }

private:
    void note(Severity severity, Error error) { addNotice(m_data, severity, std::move(error)); }
    void incomplete(std::string why) { markIncomplete(m_data, std::move(why)); }

    /// A file called after a part of a loop's state ("optimizer_shard_0.npz") holds that part.
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
            const auto json =
                source ? readJsonFile(**source, kMaxManifest) : Result<JsonValue>(source.error());
            if (!json) {
                note(Severity::Error, Error(json.error()).inFile(name));
                incomplete("The manifest cannot be read: " + name);
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
        CheckpointFile file;
        file.path = name;
        file.folder = m_request.folder;
        file.identity = source.identity();
        m_data.addFile(std::move(file));
    }

    /// The array that a part means: by its key, by the tensor's name with either separator, or the
    /// only one that there is.
    static std::optional<std::size_t> arrayOf(const Member& member, const ManifestTensor& tensor,
                                              const ManifestPart& part) {
        std::string key = part.key.empty() ? tensor.name : part.key;
        if (key.ends_with(".npy") && !member.byName.contains(key)) {
            key.resize(key.size() - 4);
        }
        if (const auto found = member.byName.find(key); found != member.byName.end()) {
            return found->second;
        }
        for (const auto& [from, to] : {std::pair('.', '/'), std::pair('/', '.')}) {
            std::string other = key;
            std::ranges::replace(other, from, to);
            if (const auto found = member.byName.find(other); found != member.byName.end()) {
                return found->second;
            }
        }
        const bool only = member.arrays.size() == 1 &&
                          (part.key.empty() || member.chosen->name.ends_with(".npy"));
        return only && !part.file.empty() ? std::optional<std::size_t>(0) : std::nullopt;
    }

    void joinListed() {
        for (ManifestTensor& tensor : m_manifest.tensors) {
            joinOne(tensor);
        }
        if (m_manifest.axis) {
            joinByAxis();
        }
    }

    /// As the manifest's list of files states.
    std::optional<std::int64_t> rankOf(const std::string& file) {
        if (m_ranks.empty()) {
            for (const ManifestFile& row : m_manifest.files) {
                m_ranks.emplace(row.name, row.order);
            }
        }
        const auto row = m_ranks.find(file);
        return row == m_ranks.end() ? std::nullopt : row->second;
    }

    /// What is stated about all: every name that several files have.
    void joinByAxis() {
        std::vector<std::string> names;
        std::unordered_map<std::string, std::size_t> counts;
        for (const Member& member : m_files.all()) {
            for (std::size_t i = 0; i < member.arrays.size(); ++i) {
                const bool open = !member.used[i] && !member.arrays[i].shape.empty();
                if (open && ++counts[member.arrays[i].name] == 2) {
                    names.push_back(member.arrays[i].name);
                }
            }
        }
        for (std::string& name : names) {
            ManifestTensor tensor;
            tensor.name = std::move(name);
            joinOne(tensor);
        }
    }

    void joinOne(ManifestTensor& tensor) {
        if (tensor.parts.empty()) { // a map of axes: the parts are in all files, in their order
            for (const Member& member : m_files.all()) {
                if (member.byName.contains(tensor.name) || member.missing) {
                    ManifestPart part;
                    part.file = member.chosen->name;
                    part.key = tensor.name;
                    part.order = rankOf(part.file);
                    tensor.parts.push_back(std::move(part));
                }
            }
        }
        if (!tensor.axis && !tensor.replicated && tensor.parts.size() > 1) {
            tensor.axis = m_manifest.axis;
        }
        std::vector<FoundPart> parts;
        std::vector<std::pair<Member*, std::size_t>> taken;
        bool any = false;
        for (ManifestPart& listed : tensor.parts) {
            Member* member = m_files.named(listed.file);
            if (member == nullptr) {
                continue;
            }
            FoundPart part{listed, nullptr, member->file};
            if (const auto array = arrayOf(*member, tensor, listed)) {
                part.entry = &dtypeFromManifest(member->arrays[*array], tensor);
                taken.emplace_back(member, *array);
                any = true;
            } else if (!member->missing) {
                note(Severity::Error,
                     fail(ErrorCode::BadIndex,
                          "The manifest names an array that the file does not contain")
                         .inFile(listed.file)
                         .inTensor(tensor.name));
                incomplete("An array is missing in its file: " + tensor.name);
            }
            parts.push_back(std::move(part));
        }
        if (!any && !tensor.shape) {
            return; // stated only by name, and nothing of it is here
        }
        auto joined = joinParts(tensor, std::move(parts));
        if (!joined) {
            const bool damaged = joined.error().code == ErrorCode::BadIndex;
            note(Severity::Error, std::move(joined).error().inFile(m_manifest.file));
            incomplete(damaged
                           ? "The manifest and the files contradict each other about " + tensor.name
                           : "It is uncertain how the parts are combined: " + tensor.name);
            return; // its arrays are shown by themselves
        }
        for (const auto& [member, array] : taken) {
            member->used[array] = true;
            if (tensor.dtype) {
                m_named.insert(member->arrays[array].name);
            }
        }
        checkVolume(*joined);
        m_data.tensors.push_back(std::move(*joined));
    }

    TensorEntry& dtypeFromManifest(TensorEntry& entry, const ManifestTensor& tensor) {
        if (tensor.dtype && !readAs(entry, *tensor.dtype)) {
            note(Severity::Warning,
                 fail(ErrorCode::BadIndex, "The manifest's dtype does not match the file")
                     .inFile(m_manifest.file)
                     .inTensor(tensor.name)
                     .butFound(std::string(dtypeName(entry.dtype)))
                     .expecting(std::string(dtypeName(*tensor.dtype))));
        }
        return entry;
    }

    void checkVolume(const TensorEntry& tensor) {
        std::uint64_t volume = 0;
        for (const Piece& piece : tensor.pieces) {
            volume += elementCount(piece.box.extent).value_or(0);
        }
        const auto whole = elementCount(tensor.shape);
        if (whole && volume < *whole) {
            note(Severity::Error,
                 fail(ErrorCode::CoverageHole, "Parts of this tensor are not in any shard")
                     .inTensor(tensor.name)
                     .butFound(std::to_string(volume) + " elements")
                     .expecting(std::to_string(*whole)));
            incomplete("Parts of " + tensor.name + " are not in any shard");
        }
    }

    void nameTheRest() {
        std::unordered_map<std::string, std::size_t> counts;
        for (const Member& member : m_files.all()) {
            for (std::size_t i = 0; i < member.arrays.size(); ++i) {
                if (!member.used[i]) {
                    ++counts[member.chosen->prefix + member.arrays[i].name];
                }
            }
        }
        std::string alike;
        std::size_t apart = 0;
        std::vector<std::pair<std::string, Shape>> loose; // numbered single arrays
        for (Member& member : m_files.all()) {
            for (std::size_t i = 0; i < member.arrays.size(); ++i) {
                if (member.used[i]) {
                    continue;
                }
                TensorEntry& entry = member.arrays[i];
                std::string name = member.chosen->prefix + entry.name;
                if (counts.at(name) > 1) {
                    if (!entry.shape.empty()) { // a step or a loss was not cut
                        alike = alike.empty() ? name : alike;
                        ++apart;
                    }
                    const std::string label =
                        member.chosen->label.empty()
                            ? member.chosen->name.substr(0, member.chosen->name.size() - 4) + "."
                            : member.chosen->label;
                    name = member.chosen->prefix + label + entry.name;
                }
                if (member.chosen->set != 0 && member.chosen->name.ends_with(".npy")) {
                    loose.emplace_back(member.chosen->name, entry.shape);
                }
                entry.role = modelRole(name);
                entry.name = std::move(name);
                m_data.tensors.push_back(std::move(entry));
            }
        }
        if (apart > 0 || mayBeOne(loose)) {
            const std::string tensor = alike.empty() ? m_data.tensors.back().name : alike;
            incomplete("How the shards' arrays are combined is not recorded: " + tensor);
            note(Severity::Error,
                 fail(ErrorCode::ShardsNotJoined,
                      "The shards contain arrays that may be parts of one, but how to combine them "
                      "is not recorded; each is shown separately")
                     .inFile(m_choice.files.front().name)
                     .inTensor(tensor)
                     .withHint(
                         "A manifest.json beside them can specify it, such as {\"tensors\": {\"" +
                         tensor + "\": {\"axis\": 0}}}"));
        }
    }

    /// Numbered arrays that their names call parts, or that are alike but for one dimension. Others
    /// are a list of tensors.
    static bool mayBeOne(const std::vector<std::pair<std::string, Shape>>& arrays) {
        if (arrays.size() < 2) {
            return false;
        }
        const Shape& first = arrays.front().second;
        std::set<std::size_t> differing;
        bool alike = !first.empty();
        for (const auto& [name, shape] : arrays) {
            const auto parts = splitNumberedName(name);
            if (parts && parts->sure) {
                return true;
            }
            alike = alike && shape.size() == first.size();
            for (std::size_t d = 0; alike && d < shape.size(); ++d) {
                if (shape[d] != first[d]) {
                    differing.insert(d);
                }
            }
        }
        return alike && differing.size() < 2;
    }

    /// Once is enough, and not where the manifest names the type.
    void noteNameless() {
        for (const Notice& notice : m_files.nameless()) {
            if (!m_named.contains(notice.error.where.tensor)) {
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
                         .butFound(std::to_string(size) + " bytes")
                         .expecting(std::to_string(*file.size) + " bytes"));
                incomplete("A file's length does not match the manifest: " + file.name);
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

    /// Only a checksum speaks of it: an array that is not here is missing.
    void addAbsent(const std::string& name) {
        const bool array = name.ends_with(".npz") || name.ends_with(".npy");
        if (array && !m_request.folder->hasFile(name)) {
            m_files.addMissing(name);
            incomplete("A file that the manifest names is missing: " + name);
        }
    }

    void judge() {
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
        for (const std::string& sentence : m_choice.sizes) {
            if (m_data.why.size() < 20) {
                m_data.why.push_back(sentence);
            }
        }
    }

    std::string sizeOf(const std::string& name) const {
        for (const CheckpointFile& file : m_data.files) {
            if (file.path == name) {
                return std::to_string(file.identity.size) + " bytes";
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
            const auto source = m_request.folder->openFile(name);
            const auto json =
                source ? readJsonFile(**source, kMaxDocument) : Result<JsonValue>(source.error());
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
        m_data.loadValues = [root](const CancelToken&) { return Result<Value>(root); };
    }

    const OpenRequest& m_request;
    const FolderNames& m_names;
    Manifest m_manifest;
    FolderChoice m_choice;
    CheckpointData m_data;
    MemberFiles m_files;
    std::vector<ValueItem> m_documents;
    std::set<std::string> m_named; ///< arrays whose dtype the manifest records
    std::unordered_map<std::string, std::optional<std::int64_t>> m_ranks; ///< by file
    std::size_t m_read = 0;
};

} // namespace

Result<CheckpointPtr> joinFolder(const OpenRequest& request, const FolderNames& names) {
    return FolderJoiner(request, names).join();
}

} // namespace cairn::formats::numpy_shards

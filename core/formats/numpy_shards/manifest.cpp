// SPDX-License-Identifier: Apache-2.0
#include "core/formats/numpy_shards/manifest.h"

#include "core/formats/common/json_values.h"
#include "core/formats/numpy_shards/manifest_words.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

/// Reading what was never specified.
///
/// People write three kinds of lists: of files (with checksums, and perhaps what each holds), of
/// tensors (with the file or the parts of each), and maps from names to an axis. All three are
/// looked for, under every usual word, and poured into one form. A word that means a place is taken
/// for one only where it can be one: `offset` is a position along the axis if it is a number, an
/// origin if it is a list.
namespace cairn::formats::numpy_shards {
namespace {

const Words kFileLists = {"files", "shards", "shard_files", "ranks", "parts", "chunks"};
const Words kTensorLists = {"tensors",   "params",     "parameters", "arrays",
                            "variables", "weight_map", "keys",       "entries",
                            "weights",   "state_dict", "tensor_map", "layout"};
const Words kAxisMaps = {"axis",           "axes",        "split_axis", "shard_axis",
                         "split_axes",     "shard_axes",  "partition",  "partitions",
                         "partition_axes", "concat_axis", "sharding"};
const Words kChecksumMaps = {"checksums", "hashes", "digests", "checksum"};
const Words kAlgorithms = {"sha256", "md5",   "sha1",    "sha512", "sha384",
                           "sha224", "crc32", "blake2b", "blake2s"};

bool isOneOf(Words words, std::string_view word) {
    return std::ranges::find(words, word) != words.end();
}

class ManifestReader {
public:
    ManifestReader(std::string file, const std::vector<std::string>& names)
        : m_names(names.begin(), names.end()) {
        m_manifest.file = std::move(file);
    }

    Manifest read(const JsonValue& root) {
        if (root.kind() == JsonKind::Array) {
            readList(root);
        } else {
            readRoot(root);
        }
        return std::move(m_manifest);
    }

private:
    bool isFile(std::string_view name) const {
        return m_names.contains(clean(name)) || name.ends_with(".npz") || name.ends_with(".npy");
    }

    static std::string clean(std::string_view name) {
        while (name.starts_with("./")) {
            name.remove_prefix(2);
        }
        return std::string(name);
    }

    void readRoot(const JsonValue& root) {
        m_algorithm = textAt(root, {"checksum_algorithm", "hash_algorithm", "checksum_type",
                                    "algorithm", "hash_type"});
        m_manifest.count = integerAt(root, {"num_shards", "n_shards", "shard_count", "num_files",
                                            "world_size", "num_ranks", "total_shards"});
        m_manifest.grid = dimsOf(findAny(root, {"grid", "grid_shape", "mesh", "mesh_shape"}));
        for (const std::string_view word : kFileLists) {
            if (const JsonValue* list = root.find(word)) {
                readFiles(*list);
            }
        }
        for (const std::string_view word : kTensorLists) {
            if (const JsonValue* list = root.find(word)) {
                readTensors(*list);
            }
        }
        for (const std::string_view word : kAxisMaps) {
            if (const JsonValue* map = root.find(word)) {
                readAxes(*map);
            }
        }
        if (const JsonValue* names = root.find("replicated")) {
            for (const JsonValue& name : names->elements()) {
                if (const auto text = name.asString()) {
                    tensor(*text).replicated = true;
                }
            }
        }
        for (const std::string_view word : kChecksumMaps) {
            if (const JsonValue* map = root.find(word)) {
                readChecksums(*map, m_algorithm);
            }
        }
        for (const std::string_view word : kAlgorithms) {
            if (const JsonValue* map = root.find(word)) {
                readChecksums(*map, word);
            }
        }
        if (!m_manifest.useful()) {
            readBareMap(root);
        }
        readValues(root);
    }

    /// {"layer.w": "shard_0.npz", …}: the whole document is the map.
    void readBareMap(const JsonValue& root) {
        const auto members = root.members();
        const bool all = !members.empty() && std::ranges::all_of(members, [&](const auto& member) {
            const auto text = member.value.asString();
            const bool object =
                member.value.kind() == JsonKind::Object &&
                findAny(member.value, {"file", "filename", "path", "parts", "shards"}) != nullptr;
            return (text && isFile(*text)) || object || isFile(member.key);
        });
        if (all) {
            const bool files = std::ranges::all_of(
                members, [&](const auto& member) { return isFile(member.key); });
            if (files) {
                readFiles(root);
            } else {
                readTensors(root);
            }
        }
    }

    /// A list at the top: of tensors if its objects have a name of their own beside a file.
    void readList(const JsonValue& root) {
        const bool tensors = std::ranges::any_of(root.elements(), [](const JsonValue& item) {
            return item.kind() == JsonKind::Object && item.find("name") != nullptr &&
                   findAny(item, {"file", "filename", "path", "parts", "shards"}) != nullptr;
        });
        if (tensors) {
            readTensors(root);
        } else {
            readFiles(root);
        }
    }

    void readValues(const JsonValue& root) {
        std::vector<ValueItem> items;
        for (const JsonMember& member : root.members()) {
            const bool known =
                isOneOf(kFileLists, member.key) || isOneOf(kTensorLists, member.key) ||
                isOneOf(kAxisMaps, member.key) || isOneOf(kChecksumMaps, member.key) ||
                isOneOf(kAlgorithms, member.key) || member.key == "replicated";
            if (!known || member.value.kind() < JsonKind::Array) {
                items.push_back({Value(member.key), valueFromJson(member.value)});
            }
        }
        m_manifest.values = items.empty() ? Value() : Value::dict(std::move(items));
    }

    ManifestTensor& tensor(std::string_view name) {
        const auto [place, isNew] =
            m_tensors.try_emplace(std::string(name), m_manifest.tensors.size());
        if (isNew) {
            m_manifest.tensors.emplace_back().name = std::string(name);
        }
        return m_manifest.tensors[place->second];
    }

    ManifestFile& file(std::string_view name) {
        const auto [place, isNew] = m_files.try_emplace(clean(name), m_manifest.files.size());
        if (isNew) {
            m_manifest.files.emplace_back().name = clean(name);
        }
        return m_manifest.files[place->second];
    }

    void readFiles(const JsonValue& list) {
        for (const JsonValue& item : list.elements()) {
            if (const auto name = item.asString()) {
                if (isFile(*name)) {
                    file(*name).listed = true;
                }
                continue;
            }
            const std::string name =
                textAt(item, {"file", "filename", "file_name", "path", "name", "uri", "shard"});
            if (!name.empty() && (isFile(name) || item.find("tensors") != nullptr)) {
                readFile(name, item);
            }
        }
        for (const JsonMember& member : list.members()) {
            const auto text = member.value.asString();
            if (isFile(member.key)) {
                readFile(member.key, member.value);
            } else if (text && isFile(*text)) { // {"0": "shard_0.npz"}
                file(*text).listed = true;
            } else if (member.value.kind() == JsonKind::Object) {
                const std::string name = textAt(member.value, {"file", "filename", "path", "name"});
                if (!name.empty()) {
                    readFile(name, member.value);
                }
            }
        }
    }

    void readFile(const std::string& name, const JsonValue& json) {
        {
            ManifestFile& row = file(name);
            row.listed = true;
            if (const auto text = json.asString()) {
                addDigest(row, *text, m_algorithm);
                return;
            }
            const auto size = integerAt(json, {"size", "bytes", "nbytes", "file_size", "size_bytes",
                                               "length", "num_bytes"});
            if (size && *size >= 0) {
                row.size = static_cast<std::uint64_t>(*size);
            }
            row.order = integerAt(json, {"rank", "index", "shard", "shard_id", "shard_index", "id",
                                         "part", "number"});
            readFileDigests(row, json);
        }
        const auto at = dimsOf(findAny(json, {"grid_index", "coords", "coord", "coordinates",
                                              "mesh_coord", "grid_pos", "position", "at"}));
        const auto order = file(name).order;
        const auto place = [&](std::string_view tensorName, ManifestPart part) {
            part.file = clean(name);
            part.at = part.at ? part.at : at;
            part.order = part.order ? part.order : order;
            tensor(tensorName).parts.push_back(std::move(part));
        };
        bool told = false;
        for (const std::string_view word :
             {"tensors", "keys", "params", "parameters", "arrays", "contents", "entries", "slices",
              "weights", "variables"}) {
            const JsonValue* held = json.find(word);
            if (held == nullptr) {
                continue;
            }
            told = true;
            for (const JsonValue& item : held->elements()) {
                if (const auto text = item.asString()) {
                    place(*text, {});
                } else {
                    const std::string own = textAt(item, {"name", "tensor", "param", "fqn", "key"});
                    if (!own.empty()) {
                        place(own, readPart(item, false));
                        readTensorWords(item, tensor(own), true);
                    }
                }
            }
            for (const JsonMember& member : held->members()) {
                ManifestPart part;
                if (member.value.kind() == JsonKind::Object) {
                    part = readPart(member.value, false);
                    readTensorWords(member.value, tensor(member.key), true);
                } else {
                    readBox(member.value, part);
                }
                place(member.key, std::move(part));
            }
        }
        for (const JsonMember& member : json.members()) { // {"layer.w": [[0, 4], [0, 8]]}
            ManifestPart part;
            if (!told) {
                readBox(member.value, part);
            }
            if (part.origin) {
                place(member.key, std::move(part));
            }
        }
    }

    void readFileDigests(ManifestFile& row, const JsonValue& json) {
        for (const std::string_view algorithm : kAlgorithms) {
            if (const std::string text = textAt(json, {algorithm}); !text.empty()) {
                addDigest(row, text, algorithm);
            } else if (const auto number = integerAt(json, {algorithm});
                       number && algorithm == "crc32") {
                addCrc(row, *number);
            }
        }
        for (const std::string_view word : {"checksum", "hash", "digest", "checksums", "hashes"}) {
            const JsonValue* found = json.find(word);
            if (found == nullptr) {
                continue;
            }
            if (const auto text = found->asString()) {
                const std::string own =
                    textAt(json, {"checksum_algorithm", "algorithm", "checksum_type", "hash_type"});
                addDigest(row, *text, own.empty() ? std::string_view(m_algorithm) : own);
                continue;
            }
            const std::string algorithm = textAt(*found, {"algorithm", "type", "name", "alg"});
            const std::string value = textAt(*found, {"value", "hex", "digest", "hexdigest"});
            if (!algorithm.empty() && !value.empty()) {
                addDigest(row, value, algorithm);
            } else {
                readFileDigests(row, *found);
            }
        }
    }

    static void addCrc(ManifestFile& row, std::int64_t number) {
        if (number < 0 || number > 0xFFFFFFFF) {
            return;
        }
        std::string hex(8, '0');
        auto rest = static_cast<std::uint64_t>(number);
        for (std::size_t i = 8; i-- > 0; rest >>= 4U) {
            hex[i] = "0123456789abcdef"[rest & 15U];
        }
        row.digests["crc32"] = hex;
    }

    static void addDigest(ManifestFile& row, std::string_view text, std::string_view algorithm) {
        if (auto digest = readDigest(text, algorithm)) {
            row.digests[digest->first] = digest->second;
        }
    }

    void readChecksums(const JsonValue& map, std::string_view algorithm) {
        for (const JsonMember& member : map.members()) {
            if (!isFile(member.key)) {
                continue;
            }
            ManifestFile& row = file(member.key);
            if (const auto text = member.value.asString()) {
                addDigest(row, *text, algorithm);
            } else if (const auto number = integerOf(&member.value);
                       number && algorithm == "crc32") {
                addCrc(row, *number);
            } else {
                readFileDigests(row, member.value);
            }
        }
    }

    void readTensors(const JsonValue& list) {
        for (const JsonValue& item : list.elements()) {
            const std::string name =
                textAt(item, {"name", "tensor", "param", "fqn", "key", "parameter"});
            if (!name.empty()) {
                readTensor(name, item);
            }
        }
        for (const JsonMember& member : list.members()) {
            readTensor(member.key, member.value);
        }
    }

    void readTensor(const std::string& name, const JsonValue& json) {
        ManifestTensor& own = tensor(name);
        if (json.kind() == JsonKind::String) {
            if (isFile(*json.asString())) {
                own.parts.push_back(readPart(json, true));
                own.parts.back().file = clean(own.parts.back().file);
            } else {
                readTensorWords(json, own, false);
            }
            return;
        }
        const JsonValue* parts =
            json.kind() == JsonKind::Array
                ? &json
                : findAny(json, {"parts", "shards", "pieces", "chunks", "slices", "files"});
        if (json.kind() == JsonKind::Object) {
            readTensorWords(json, own, false);
        }
        if (parts != nullptr) {
            std::int64_t row = 0;
            for (const JsonValue& item : parts->elements()) {
                std::int64_t column = 0;
                for (const JsonValue& cell : item.elements()) { // [["a.npz", "b.npz"], …]: a grid
                    own.parts.push_back(readPart(cell, false));
                    own.parts.back().at = Dims{row, column++};
                }
                if (item.kind() != JsonKind::Array) {
                    own.parts.push_back(readPart(item, false));
                }
                ++row;
            }
            for (const JsonMember& member : parts->members()) { // {"shard_0.npz": [[0, 4], …]}
                ManifestPart part;
                if (member.value.kind() == JsonKind::Object) {
                    part = readPart(member.value, false);
                } else {
                    readBox(member.value, part);
                }
                part.file = member.key;
                own.parts.push_back(std::move(part));
            }
        } else if (!textAt(json, {"file", "filename", "file_name", "path", "shard"}).empty()) {
            own.parts.push_back(readPart(json, true));
        }
        for (ManifestPart& part : own.parts) {
            part.file = clean(part.file);
        }
    }

    /// One axis for all, or a map from names.
    void readAxes(const JsonValue& map) {
        bool replicated = false;
        if (const auto axis = readAxis(map, replicated)) {
            m_manifest.axis = axis;
            return;
        }
        for (const JsonMember& member : map.members()) {
            ManifestTensor& own = tensor(member.key);
            if (member.value.kind() == JsonKind::Object) {
                readTensorWords(member.value, own, false);
                continue;
            }
            if (member.value.isNull()) {
                own.replicated = true;
                continue;
            }
            const auto axis = readAxis(member.value, own.replicated);
            own.axis = axis ? axis : own.axis;
        }
    }

    std::unordered_set<std::string> m_names;
    Manifest m_manifest;
    std::string m_algorithm;
    std::unordered_map<std::string, std::size_t> m_tensors;
    std::unordered_map<std::string, std::size_t> m_files;
};

} // namespace

std::optional<std::pair<std::string, std::string>> readDigest(std::string_view text,
                                                              std::string_view algorithm) {
    std::string name;
    const std::size_t colon = text.find_first_of(":=");
    if (colon != std::string_view::npos) {
        algorithm = text.substr(0, colon);
        text = text.substr(colon + 1);
    }
    for (const char c : algorithm) {
        if (c != '-' && c != '_') {
            name += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
        }
    }
    if (text.starts_with("0x")) {
        text.remove_prefix(2);
    }
    std::string hex;
    for (const char c : text) {
        const char lower = static_cast<char>(c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c);
        if ((lower < '0' || lower > '9') && (lower < 'a' || lower > 'f')) {
            return std::nullopt;
        }
        hex += lower;
    }
    struct Row {
        std::size_t digits;
        std::string_view name;
    };
    constexpr auto kBySize = std::to_array<Row>({{8, "crc32"},
                                                 {32, "md5"},
                                                 {40, "sha1"},
                                                 {56, "sha224"},
                                                 {64, "sha256"},
                                                 {96, "sha384"},
                                                 {128, "sha512"}});
    const auto* row = std::ranges::find(kBySize, hex.size(), &Row::digits);
    if (row == kBySize.end()) {
        return std::nullopt;
    }
    if (name.empty() || name == "sha2") {
        name = row->name;
    }
    return std::pair(std::move(name), std::move(hex));
}

Manifest readManifest(const JsonValue& root, std::string file,
                      const std::vector<std::string>& names) {
    return ManifestReader(std::move(file), names).read(root);
}

} // namespace cairn::formats::numpy_shards

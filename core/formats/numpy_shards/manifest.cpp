// SPDX-License-Identifier: Apache-2.0
#include "core/formats/numpy_shards/manifest.h"

#include "core/formats/common/numpy/numpy_dtype.h"
#include "core/formats/common/text/json_values.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <unordered_map>

namespace cairn::formats::numpy_shards {
namespace {

using Words = std::initializer_list<std::string_view>;

const Words kFileLists = {"files", "shards"};
const Words kTensorMaps = {"tensors", "weight_map"};
const Words kFileNames = {"file", "name"};
const Words kSizes = {"bytes", "size"};
const Words kOrders = {"rank", "index"};
const Words kAxes = {"axis", "dim"};
const Words kPartKeys = {"file", "key", "offset", "shape", "bytes", "size"};
const Words kAlgorithms = {"sha256", "md5", "sha1", "sha512", "sha384", "sha224", "crc32"};

bool isOneOf(Words words, std::string_view word) {
    return std::ranges::find(words, word) != words.end();
}

/// The value of the first of the words that exists and is not null.
const JsonValue* findAny(const JsonValue& json, Words words) {
    for (const std::string_view word : words) {
        const JsonValue* found = json.find(word);
        if (found != nullptr && !found->isNull()) {
            return found;
        }
    }
    return nullptr;
}

std::string textAt(const JsonValue& json, Words words) {
    const JsonValue* found = findAny(json, words);
    const auto text =
        found != nullptr ? found->asString() : Result<std::string_view>(std::string_view());
    return text ? std::string(*text) : std::string();
}

std::optional<std::int64_t> integerOf(const JsonValue* json) {
    const bool number = json != nullptr && json->kind() == JsonKind::Integer;
    return number ? std::optional(*json->asInteger()) : std::nullopt;
}

/// A list of non-negative integers, at most kMaxRank.
std::optional<Dims> dimsOf(const JsonValue* json) {
    if (json == nullptr || json->kind() != JsonKind::Array || json->elements().size() > kMaxRank) {
        return std::nullopt;
    }
    Dims dims(json->elements().size(), 0);
    for (std::size_t d = 0; d < dims.size(); ++d) {
        const auto value = integerOf(&json->elements()[d]);
        if (!value || *value < 0) {
            return std::nullopt;
        }
        dims[d] = *value;
    }
    return dims;
}

std::string cleanName(std::string_view name) {
    while (name.starts_with("./")) {
        name.remove_prefix(2);
    }
    return std::string(name);
}

bool isArrayFile(std::string_view name) {
    return name.ends_with(".npz") || name.ends_with(".npy");
}

/// What the keys of an object describe: "shape" is that of the tensor or of the part.
enum class Describes : std::uint8_t { Tensor, Part };

ManifestPart partOf(const JsonValue& json, Describes what) {
    ManifestPart part;
    if (json.kind() == JsonKind::String) {
        part.file = cleanName(*json.asString());
        return part;
    }
    part.file = cleanName(textAt(json, {"file"}));
    part.key = textAt(json, {"key"});
    part.order = integerOf(findAny(json, kOrders));
    const JsonValue* offset = json.find("offset");
    part.origin = dimsOf(offset);
    if (const auto start = integerOf(offset); start && *start >= 0) {
        part.start = start;
    }
    if (what == Describes::Part) {
        part.extent = dimsOf(json.find("shape"));
        for (const JsonMember& member : json.members()) {
            const bool known = isOneOf(kPartKeys, member.key) || isOneOf(kOrders, member.key);
            const bool place = isOneOf(kOrders, member.key) && !integerOf(&member.value);
            part.understood = part.understood && ((known && !place) || member.value.isNull() ||
                                                  member.value.kind() == JsonKind::String ||
                                                  member.value.kind() == JsonKind::Bool);
        }
    }
    return part;
}

class ManifestReader {
public:
    explicit ManifestReader(std::string file) { m_manifest.file = std::move(file); }

    Manifest read(const JsonValue& root) {
        m_manifest.count = integerOf(root.find("num_shards"));
        for (const std::string_view word : kFileLists) {
            if (const JsonValue* list = root.find(word)) {
                readFiles(*list);
            }
        }
        for (const std::string_view word : kTensorMaps) {
            if (const JsonValue* map = root.find(word)) {
                for (const JsonMember& member : map->members()) {
                    readTensor(tensor(member.key), member.value);
                }
            }
        }
        m_manifest.axis = integerOf(root.find("axis"));
        if (const JsonValue* map = root.find("axes")) {
            for (const JsonMember& member : map->members()) {
                readAxis(tensor(member.key), member.value);
            }
        }
        for (const std::string_view algorithm : kAlgorithms) {
            if (const JsonValue* map = root.find(algorithm)) {
                for (const JsonMember& member : map->members()) {
                    addDigest(file(member.key), member.value, algorithm);
                }
            }
        }
        readValues(root);
        return std::move(m_manifest);
    }

private:
    ManifestTensor& tensor(std::string_view name) {
        const auto [place, isNew] =
            m_tensors.try_emplace(std::string(name), m_manifest.tensors.size());
        if (isNew) {
            m_manifest.tensors.emplace_back().name = std::string(name);
        }
        return m_manifest.tensors[place->second];
    }

    ManifestFile& file(std::string_view name) {
        const auto [place, isNew] = m_files.try_emplace(cleanName(name), m_manifest.files.size());
        if (isNew) {
            m_manifest.files.emplace_back().name = cleanName(name);
        }
        return m_manifest.files[place->second];
    }

    void readFiles(const JsonValue& list) {
        for (const JsonValue& item : list.elements()) {
            const auto text = item.asString();
            const std::string name = text ? std::string(*text) : textAt(item, kFileNames);
            if (!isArrayFile(name)) {
                continue;
            }
            ManifestFile& row = file(name);
            row.listed = true;
            const auto size = integerOf(findAny(item, kSizes));
            if (size && *size >= 0) {
                row.size = static_cast<std::uint64_t>(*size);
            }
            row.order = integerOf(findAny(item, kOrders));
            for (const std::string_view algorithm : kAlgorithms) {
                if (const JsonValue* digest = item.find(algorithm)) {
                    addDigest(row, *digest, algorithm);
                }
            }
        }
    }

    static void addDigest(ManifestFile& row, const JsonValue& json, std::string_view algorithm) {
        const auto text = json.asString();
        if (const auto digest = text ? readDigest(*text, algorithm) : std::nullopt) {
            row.digests[digest->first] = digest->second;
        }
    }

    static void readAxis(ManifestTensor& own, const JsonValue& json) {
        const auto text = json.asString();
        own.axis = integerOf(&json);
        own.replicated = json.isNull() || (text && *text == "replicated");
    }

    /// "shard_0.npz", or an object with the tensor's keys and its parts.
    static void readTensor(ManifestTensor& own, const JsonValue& json) {
        if (json.kind() == JsonKind::String) {
            if (isArrayFile(*json.asString())) {
                own.parts.push_back(partOf(json, Describes::Tensor));
            }
            return;
        }
        const std::string dtype = textAt(json, {"dtype"});
        own.dtype = dtype.empty() ? own.dtype : dtypeOfManifestName(dtype);
        own.shape = dimsOf(json.find("shape"));
        if (const JsonValue* axis = findAny(json, kAxes)) {
            readAxis(own, *axis);
        }
        const JsonValue* replicated = json.find("replicated");
        if (replicated != nullptr && replicated->kind() == JsonKind::Bool) {
            own.replicated = *replicated->asBool();
        }
        if (const JsonValue* parts = json.find("parts")) {
            for (const JsonValue& item : parts->elements()) {
                own.parts.push_back(partOf(item, Describes::Part));
            }
        } else if (json.find("file") != nullptr) {
            own.parts.push_back(partOf(json, Describes::Tensor));
        }
    }

    void readValues(const JsonValue& root) {
        std::vector<ValueItem> items;
        for (const JsonMember& member : root.members()) {
            const bool known = isOneOf(kFileLists, member.key) ||
                               isOneOf(kTensorMaps, member.key) || member.key == "axes" ||
                               isOneOf(kAlgorithms, member.key);
            if (!known || member.value.kind() < JsonKind::Array) {
                items.push_back({Value(member.key), valueFromJson(member.value)});
            }
        }
        m_manifest.values = items.empty() ? Value() : Value::dict(std::move(items));
    }

    Manifest m_manifest;
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

Manifest readManifest(const JsonValue& root, std::string file) {
    return ManifestReader(std::move(file)).read(root);
}

} // namespace cairn::formats::numpy_shards

// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/zarr_arrays/array_set.h"

#include "core/codec/json/json_value.h"
#include "core/codec/zarr/array_info.h"

#include <algorithm>
#include <array>

namespace cairn::formats::zarr_arrays {
namespace {

/// What is not a chunk.
struct Document {
    std::string_view name;
    ArraySet::Kind kind;
};
constexpr auto kDocuments = std::to_array<Document>({
    {".zarray", ArraySet::Kind::Metadata2},
    {"zarr.json", ArraySet::Kind::Metadata3},
    {".zattrs", ArraySet::Kind::Ignored},
    {".zgroup", ArraySet::Kind::Ignored},
    {".zmetadata", ArraySet::Kind::Ignored},
});

struct Split {
    std::string_view array;
    std::string_view rest;
};

Split splitLast(std::string_view key) {
    const std::size_t slash = key.rfind('/');
    return slash == std::string_view::npos ? Split{{}, key}
                                           : Split{key.substr(0, slash), key.substr(slash + 1)};
}

bool isNumber(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// "a/c/0/1" -> "a", "c/0/1"; "c/0/1" -> "", "c/0/1": an array at the root; an empty rest if it is
/// not a chunk key.
Split splitV3(std::string_view key) {
    std::string_view left = key;
    while (true) {
        const Split split = splitLast(left);
        if (split.rest == "c") {
            return {split.array, key.substr(split.array.empty() ? 0 : split.array.size() + 1)};
        }
        if (!isNumber(split.rest) || split.array.empty()) {
            return {};
        }
        left = split.array;
    }
}

/// A document of a group in a hierarchy of version 3, which has the name of an array's.
bool isGroup(const std::string& text, std::string_view name) {
    const auto root = parseJson(text, name);
    const JsonValue* node = root ? root->find("node_type") : nullptr;
    return node != nullptr && node->asString().value_or("") == "group";
}

Error tooMany() {
    return fail(ErrorCode::LimitExceeded, "The checkpoint has too many arrays or chunks");
}

} // namespace

ArraySet::Key ArraySet::classify(std::string_view key) {
    const Split last = splitLast(key);
    if (const auto* known = std::ranges::find(kDocuments, last.rest, &Document::name);
        known != kDocuments.end()) {
        return {known->kind, last.array};
    }
    // The metadata of version 2 precede the chunks: a following key that begins with the array's
    // name is a chunk.
    if (m_last != m_arrays.end() && m_last->second.version == 2) {
        const std::string& name = m_last->first;
        const std::size_t begin = name.empty() ? 0 : name.size() + 1; // an array at the root
        if (key.size() > begin && key.starts_with(name) &&
            (begin == 0 || key[name.size()] == '/') &&
            zarr::parseChunkKey(key.substr(begin), m_indices, m_keys)) {
            return {Kind::Chunk, key.substr(0, name.size())};
        }
    }
    const Split v3 = splitV3(key);
    if (!v3.rest.empty() && zarr::parseChunkKey(v3.rest, m_indices, m_keys)) {
        return {Kind::Chunk, v3.array};
    }
    if (last.rest != "c" && zarr::parseChunkKey(last.rest, m_indices, m_keys)) {
        return {Kind::Chunk, last.array};
    }
    return {Kind::Unknown, {}};
}

Result<StoredArray*> ArraySet::arrayNamed(std::string_view name) {
    if (m_last != m_arrays.end() && m_last->first == name) {
        return &m_last->second;
    }
    m_last = m_arrays.lower_bound(name);
    if (m_last == m_arrays.end() || m_last->first != name) {
        m_text += name.size();
        if (m_text > kMaxText) {
            return tooMany();
        }
        m_last = m_arrays.emplace_hint(m_last, std::string(name), StoredArray());
    }
    return &m_last->second;
}

Result<void> ArraySet::addChunk(const Key& key, Place place) {
    CAIRN_TRY(StoredArray * array, arrayNamed(key.array));
    if (++m_chunks > kMaxChunks) {
        return tooMany();
    }
    if (array->chunks.empty()) {
        array->rank = m_indices.size();
    }
    if (m_indices.size() != array->rank) {
        array->mixedRanks = true;
        return {};
    }
    array->keys &= m_keys;
    array->indices.insert(array->indices.end(), m_indices.begin(), m_indices.end());
    array->chunks.push_back(place);
    return {};
}

/// Whether an array at the root exists is known at the end. Without one, the chunk "c/0" is of an
/// array "c", and keys such as "0" are of no array.
void ArraySet::finish() {
    const auto root = m_arrays.find(std::string_view());
    if (root == m_arrays.end() || root->second.version != 0) {
        return;
    }
    StoredArray chunks = std::move(root->second);
    m_arrays.erase(root);
    m_last = m_arrays.end();
    if (chunks.rank == 0 || (chunks.keys & zarr::kPrefixedSlashes) == 0) {
        return;
    }
    StoredArray& array = m_arrays["c"];
    if (!array.chunks.empty()) {
        return;
    }
    array.rank = chunks.rank;
    array.indices = std::move(chunks.indices);
    array.chunks = std::move(chunks.chunks);
    array.mixedRanks = chunks.mixedRanks;
    array.keys = zarr::kSlashed | (chunks.rank == 1 ? zarr::kDotted : 0);
}

Result<void> ArraySet::setMetadata(const Key& key, std::string text) {
    if (key.kind == Kind::Metadata3 && isGroup(text, key.array)) {
        return {};
    }
    CAIRN_TRY(StoredArray * array, arrayNamed(key.array));
    const int version = key.kind == Kind::Metadata3 ? 3 : 2;
    if (version < array->version) {
        return {}; // if both exist, zarr 3 is used
    }
    m_text += text.size();
    if (m_text > kMaxText) {
        return tooMany();
    }
    array->metadata = std::move(text);
    array->version = version;
    return {};
}

} // namespace cairn::formats::zarr_arrays

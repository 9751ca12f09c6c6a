// SPDX-License-Identifier: Apache-2.0
//
// Free choices here: large tensors are cut along their first dimension into chunks of equal size,
// if a divisor of it allows that, because a chunk at the edge would be padded; and each leaf is
// recorded as NumPy's array, which needs no record of a sharding.
#include "core/formats/orbax/layout.h"

#include "core/base/endian.h"
#include "core/codec/zarr/array_info.h"
#include "core/formats/common/jax/output_tree.h"
#include "core/formats/orbax/folder_facts.h"
#include "core/formats/orbax/tree.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <set>
#include <string>
#include <utility>

namespace cairn::formats::orbax {
namespace {

using nlohmann::ordered_json;

constexpr std::uint64_t kLargeChunk = std::uint64_t{256} << 20U;
constexpr std::size_t kMaxFileName = 255;
constexpr std::ptrdiff_t kMostSlashes = 60; ///< of a name: a plan's files have 64 parts, 4096 bytes
constexpr std::size_t kLongestName = 3500;
constexpr std::string_view kTexts = "_strings.json";
constexpr std::string_view kMetadataOfArray = ".zarray";

/// Files of Orbax, or folders that it takes for something else than an array.
constexpr auto kReserved = std::to_array<std::string_view>(
    {kTreeMetadata, kStepMetadata, kTexts, kMarker, "_sharding", "array_metadatas",
     "commit_success.txt", "manifest.ocdbt", "d", kMetadataOfArray, ".zgroup", "zarr.json"});

/// As Python prints a tuple of strings: the key of a leaf, which is not parsed.
std::string tupleText(const std::vector<TreeKey>& keys) {
    std::string text = "(";
    for (const TreeKey& key : keys) {
        const bool isDoubled =
            key.text.find('\'') != std::string::npos && key.text.find('"') == std::string::npos;
        const char quote = isDoubled ? '"' : '\'';
        text += (&key == keys.data() ? "" : ", ") + std::string(1, quote);
        for (const char c : key.text) {
            if (c == quote || c == '\\') {
                text += '\\';
            }
            text += c == '\n' ? std::string("\\n") : std::string(1, c);
        }
        text += quote;
    }
    return text + (keys.size() == 1 ? ",)" : ")");
}

/// The extent of a chunk along the first dimension.
std::int64_t rowsOfChunk(const Shape& shape, std::uint64_t bytes) {
    if (shape.empty() || shape[0] < 2 || bytes <= kLargeChunk) {
        return shape.empty() ? 1 : std::max<std::int64_t>(shape[0], 1);
    }
    const std::int64_t rows = shape[0];
    const auto least = static_cast<std::int64_t>((bytes + kLargeChunk - 1) / kLargeChunk);
    constexpr std::int64_t kMostChunks = 100'000;
    for (std::int64_t chunks = least; chunks <= std::min(rows, kMostChunks); ++chunks) {
        if (rows % chunks == 0) {
            return rows / chunks;
        }
    }
    return rows;
}

class Layout {
public:
    explicit Layout(const LayoutRequest& request) : m_tensors(request) { m_layout.folder = true; }

    Result<OutputLayout> run(const Value& tree) {
        CAIRN_CHECK(container(tree));
        if (m_leaves.empty()) {
            return fail(ErrorCode::Unsupported, "Orbax cannot restore an empty tree");
        }
        CAIRN_CHECK(checkFolders());
        if (!m_texts.empty()) {
            add(std::string(kTexts), m_texts.dump(-1, ' ', false));
        }
        ordered_json metadata;
        metadata["tree_metadata"] = std::move(m_leaves);
        metadata["use_ocdbt"] = false;
        metadata["use_zarr3"] = false;
        metadata["store_array_data_equal_to_fill_value"] = true;
        metadata["custom_metadata"] = nullptr;
        add(std::string(kTreeMetadata), metadata.dump(-1, ' ', false));
        return std::move(m_layout);
    }

private:
    void add(std::string name, std::string_view text) {
        const auto bytes = asBytes(text);
        OutputFile file;
        file.name = std::move(name);
        file.size = bytes.size();
        file.addLiteral(0, {bytes.begin(), bytes.end()});
        m_layout.files.push_back(std::move(file));
    }

    [[nodiscard]] std::string place() const {
        std::string text;
        for (const TreeKey& key : m_keys) {
            text += (&key == m_keys.data() ? "" : ".") + key.text;
        }
        return text;
    }

    /// Recursion is limited by outputTree().
    Result<void> container(const Value& value) {
        const bool isSequence = value.kind() != ValueKind::Dict;
        std::size_t position = 0;
        for (const ValueItem& item : value.items()) {
            m_keys.push_back(
                {isSequence ? std::to_string(position) : keyText(item.key), isSequence});
            CAIRN_CHECK(write(item.value));
            m_keys.pop_back();
            ++position;
        }
        return {};
    }

    Result<void> write(const Value& value) {
        const bool isEmpty = value.isContainer() && value.items().empty();
        switch (value.kind()) {
        case ValueKind::Null:
            return leaf("None");
        case ValueKind::Bool:
            return number("bool", std::array{static_cast<std::uint8_t>(*value.asBool() ? 1 : 0)});
        case ValueKind::Int:
            return number("int64", std::array{*value.asInt()});
        case ValueKind::Float:
            return number("float64", std::array{*value.asFloat()});
        case ValueKind::String:
            m_texts[place()] = *value.asString();
            return leaf("string");
        case ValueKind::Tensor: {
            CAIRN_TRY(const LayoutTensor* found, m_tensors.take(*value.asTensor(), place()));
            return tensor(*found);
        }
        case ValueKind::Dict:
            return isEmpty ? leaf("Dict") : container(value);
        case ValueKind::List:
            return isEmpty ? leaf("List") : container(value);
        case ValueKind::Tuple:
            return isEmpty ? leaf("Tuple") : container(value);
        default:
            break;
        }
        const auto parts = jax::complexParts(value);
        return parts ? number("complex128", std::array{parts->first, parts->second})
                     : jax::notStorable(value, place(), "Orbax");
    }

    Result<void> leaf(std::string_view type) {
        constexpr auto kStored =
            std::to_array<std::string_view>({"np.ndarray", "scalar", "string"});
        ordered_json keys = ordered_json::array();
        for (const TreeKey& key : m_keys) {
            keys.push_back({{"key", key.text}, {"key_type", key.isPosition ? 1 : 2}});
        }
        ordered_json entry;
        entry["key_metadata"] = std::move(keys);
        entry["value_metadata"] = {
            {"value_type", type},
            {"skip_deserialize", std::ranges::find(kStored, type) == kStored.end()}};
        if (!m_places.insert(place()).second) {
            return fail(
                       ErrorCode::DuplicateTensor,
                       "Two leaves of the tree have the same name, whose keys are joined with dots")
                .inField(place());
        }
        m_leaves[tupleText(m_keys)] = std::move(entry);
        return {};
    }

    /// Adds the leaf, and its folder to those that are checked.
    Result<void> array(std::string_view type, std::string_view dtype,
                       std::span<const std::int64_t> shape, std::span<const std::int64_t> chunk) {
        const std::string name = place();
        CAIRN_CHECK(leaf(type));
        const std::string text = zarr::arrayText(dtype, shape, chunk);
        if (text.empty()) {
            return fail(ErrorCode::DtypeNotRepresentable, "Not an element type of Zarr")
                .inTensor(name)
                .butFound(verbatim(std::string(dtype)))
                .withHint("Cast it with --dtype float32, or write safetensors");
        }
        m_folders.insert(name);
        add(name + "/" + std::string(kMetadataOfArray), text);
        return {};
    }

    template <class T, std::size_t N>
    Result<void> number(std::string_view dtype, const std::array<T, N>& parts) {
        const bool isComplex = N == 2; // for which Orbax has no scalar
        const std::string name = place();
        CAIRN_CHECK(array(isComplex ? "np.ndarray" : "scalar", dtype, {}, {}));
        const auto bytes = std::as_bytes(std::span(parts)); // of a little-endian machine
        add(name + "/0", asText(bytes));
        return {};
    }

    Result<void> tensor(const LayoutTensor& tensor) {
        CAIRN_TRY(const jax::ArrayType type, jax::arrayType(tensor));
        const std::string name = place();
        std::vector<std::int64_t> chunk;
        for (const std::int64_t extent : tensor.shape.span()) {
            chunk.push_back(std::max<std::int64_t>(extent, 1));
        }
        if (!chunk.empty()) {
            chunk[0] = rowsOfChunk(tensor.shape, type.bytes);
        }
        CAIRN_CHECK(array("np.ndarray", type.name, tensor.shape.span(), chunk));
        std::string rest; // of a chunk's name, after the first index
        for (std::size_t i = 1; i < chunk.size(); ++i) {
            rest += ".0";
        }
        const std::int64_t rows = chunk.empty() ? 1 : tensor.shape[0];
        const std::int64_t each = chunk.empty() ? 1 : chunk[0];
        for (std::int64_t first = 0; type.bytes > 0 && first < rows; first += each) {
            TensorSegment segment;
            segment.length = type.bytes / static_cast<std::uint64_t>(rows / each);
            segment.source = tensor.source;
            segment.name = tensor.name;
            segment.dtype = tensor.dtype;
            segment.box = Box::whole(tensor.shape);
            if (!chunk.empty()) {
                segment.box.origin[0] = first;
                segment.box.extent[0] = each;
            }
            OutputFile file;
            file.name = name + "/" + std::to_string(first / each) + rest;
            file.size = segment.length;
            file.tensors.push_back(std::move(segment));
            m_layout.files.push_back(std::move(file));
        }
        return {};
    }

    /// Orbax makes a folder of each name as it is: none may leave the checkpoint, be one of Orbax's
    /// own files, or be inside the folder of another array.
    Result<void> checkFolders() const {
        for (const std::string& name : m_folders) {
            const std::string first = name.substr(0, name.find('/'));
            bool isValid =
                std::ranges::find(kReserved, first) == kReserved.end() &&
                !first.starts_with("ocdbt.process_") && !isTemporary(first) &&
                name.find('\\') == std::string::npos && name.find('\0') == std::string::npos &&
                std::ranges::count(name, '/') <= kMostSlashes && name.size() <= kLongestName;
            for (std::size_t begin = 0; begin <= name.size();) {
                const std::size_t slash = std::min(name.find('/', begin), name.size());
                const std::string part = name.substr(begin, slash - begin);
                const bool isInside =
                    slash < name.size() && m_folders.contains(name.substr(0, slash));
                isValid = isValid && !part.empty() && part != "." && part != ".." &&
                          part.size() <= kMaxFileName && !isInside;
                begin = slash + 1;
            }
            if (!isValid) {
                return fail(ErrorCode::NameNotRepresentable,
                            "Orbax names a folder after this tensor, which is not possible")
                    .inTensor(name)
                    .withHint("Use --rename, or --to flax");
            }
        }
        return {};
    }

    jax::RequestTensors m_tensors;
    OutputLayout m_layout;
    std::vector<TreeKey> m_keys; ///< of the current place
    ordered_json m_leaves = ordered_json::object();
    ordered_json m_texts = ordered_json::object();
    std::set<std::string> m_places;
    std::set<std::string> m_folders;
};

} // namespace

Result<OutputLayout> layOut(const LayoutRequest& request) {
    if (request.maxShardBytes != 0) {
        return fail(ErrorCode::InvalidArgument,
                    "Orbax writes a folder for each tensor, without a limit for files");
    }
    CAIRN_TRY(const Value tree, jax::outputTree(request));
    if (!tree.isContainer()) {
        return fail(ErrorCode::Unsupported, "A tree that is one leaf cannot be written");
    }
    return Layout(request).run(tree);
}

} // namespace cairn::formats::orbax

// SPDX-License-Identifier: Apache-2.0
#include "core/formats/ranks/sharded_objects.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace cairn::formats::ranks {
namespace {

constexpr std::size_t kMaxMeshDims = 16;

bool isClass(const Value& value, std::string_view name) {
    const ValueNode* node = value.asNode();
    return node != nullptr && node->kind == ValueKind::Object &&
           node->className.starts_with("torch.distributed") && node->className.ends_with(name) &&
           node->className[node->className.size() - name.size() - 1] == '.';
}

std::string_view shortClass(const Value& value) {
    const ValueNode* node = value.asNode();
    const std::string_view name = node == nullptr ? std::string_view() : node->className;
    return name.substr(name.rfind('.') + 1);
}

std::optional<Dims> dimsOf(const Value* value) {
    if (value == nullptr || !value->isContainer() || value->items().size() > kMaxRank) {
        return std::nullopt;
    }
    std::vector<std::int64_t> numbers;
    for (const ValueItem& item : value->items()) {
        const std::int64_t* number = item.value.asInt();
        if (number == nullptr || *number < 0) {
            return std::nullopt;
        }
        numbers.push_back(*number);
    }
    return Dims(numbers);
}

/// A number, or the product of a nested tuple; 1 for an empty tuple.
std::optional<std::int64_t> productOf(const Value& value) {
    if (const std::int64_t* number = value.asInt()) {
        return *number > 0 ? std::optional(*number) : std::nullopt;
    }
    if (!value.isContainer()) {
        return std::nullopt;
    }
    const auto dims = dimsOf(&value);
    const auto count = dims ? elementCount(*dims) : std::nullopt;
    return count && *count > 0 && *count < (std::uint64_t{1} << 32U)
               ? std::optional(static_cast<std::int64_t>(*count))
               : std::nullopt;
}

/// "[2, 4]", from the description of a tensor that is not part of the values.
std::optional<Dims> dimsOfText(const Value* value) {
    const std::string* text = value == nullptr ? nullptr : value->asString();
    if (text == nullptr || text->size() < 2 || text->size() > 256) {
        return std::nullopt;
    }
    std::vector<std::int64_t> numbers;
    const char* end = text->data() + text->size();
    for (const char* at = text->data(); at < end;) {
        std::int64_t number = 0;
        const auto parsed = std::from_chars(at, end, number);
        if (parsed.ec == std::errc()) {
            numbers.push_back(number);
        }
        at = parsed.ec == std::errc() ? parsed.ptr : at + 1;
    }
    return Dims(numbers);
}

struct Mesh {
    Dims shape;
    Dims coordinate;
};

std::optional<Dims> meshShape(const Value& mesh) {
    if (const Value* layout = mesh.find("_layout")) {
        const Value* axes = layout->find("axes");   // 2.13: one flat layout per dimension
        const Value* sizes = layout->find("shape"); // 2.9 to 2.12: numbers, or tuples of them
        const Value* list = axes != nullptr ? axes : sizes;
        std::vector<std::int64_t> numbers;
        if (sizes != nullptr && sizes->asInt() != nullptr) {
            numbers.push_back(*sizes->asInt()); // one dimension: a bare number
        } else if (list != nullptr) {
            for (const ValueItem& item : list->items()) {
                const Value* size = axes != nullptr ? item.value.find("shape") : &item.value;
                const auto number = size != nullptr ? productOf(*size) : std::nullopt;
                if (!number) {
                    return std::nullopt;
                }
                numbers.push_back(*number);
            }
        }
        return numbers.empty() ? std::nullopt : std::optional(Dims(numbers));
    }
    const Value* tensor = mesh.find("mesh"); // up to 2.8: a tensor of ranks
    return tensor == nullptr ? std::nullopt : dimsOfText(tensor->find("shape"));
}

Result<Mesh> readMesh(const Value* value, std::uint32_t rank) {
    const auto unknown = [](Sentence what) {
        return fail(ErrorCode::Unsupported, "The device mesh of a DTensor is not recorded")
            .butFound(std::move(what));
    };
    if (value == nullptr || !isClass(*value, "DeviceMesh")) {
        return unknown("no DeviceMesh");
    }
    auto shape = meshShape(*value);
    if (!shape || shape->empty() || shape->size() > kMaxMeshDims) {
        return unknown("no shape");
    }
    auto coordinate = dimsOf(value->find("_coordinate_on_dim"));
    if (!coordinate) { // if the mesh contains all ranks: row by row
        const auto count = elementCount(*shape);
        if (!count || rank >= *count) {
            return unknown("no coordinate");
        }
        coordinate = Dims(shape->size(), 0);
        std::uint64_t left = rank;
        for (std::size_t d = shape->size(); d-- > 0;) {
            const auto size = static_cast<std::uint64_t>((*shape)[d]);
            (*coordinate)[d] = static_cast<std::int64_t>(left % size);
            left /= size;
        }
    }
    for (std::size_t d = 0; d < shape->size(); ++d) {
        if (coordinate->size() != shape->size() || (*coordinate)[d] >= (*shape)[d]) {
            return unknown("a coordinate outside the mesh");
        }
    }
    return Mesh{std::move(*shape), std::move(*coordinate)};
}

/// How a DTensor is cut; see localBox().
struct Cuts {
    std::vector<std::size_t> order;
    Dims dims;
};

Result<Cuts> readCuts(const Value* placements, const Shape& shape, std::size_t meshDims) {
    if (placements == nullptr || placements->items().size() != meshDims) {
        return fail(ErrorCode::TorchBadTensor,
                    "A DTensor's placements do not match the dimensions of its mesh");
    }
    Cuts cuts{{}, Dims(meshDims, -1)};
    std::vector<std::size_t> strided;
    for (std::size_t m = 0; m < meshDims; ++m) {
        const Value& placement = placements->items()[m].value;
        const std::string_view kind = shortClass(placement);
        if (kind == "Replicate") {
            continue;
        }
        if (kind != "Shard" && kind != "_StridedShard") {
            return fail(ErrorCode::Unsupported,
                        "The ranks hold partial sums; only their sum is the tensor")
                .butFound(verbatim(std::string(kind)));
        }
        const Value* dim = placement.find("dim");
        const std::int64_t* number = dim == nullptr ? nullptr : dim->asInt();
        const auto rank = static_cast<std::int64_t>(shape.size());
        if (number == nullptr || *number < -rank || *number >= rank) {
            return fail(ErrorCode::TorchBadTensor,
                        "A DTensor is sharded along a dimension that it does not have");
        }
        cuts.dims[m] = *number < 0 ? *number + rank : *number;
        (kind == "Shard" ? cuts.order : strided).push_back(m);
    }
    // _StridedShard: mesh dimensions to its right have been applied before it.
    cuts.order.insert(cuts.order.end(), strided.rbegin(), strided.rend());
    return cuts;
}

Result<ShardedObject> readDTensor(const Value& value, std::uint32_t rank) {
    const Value* local = value.find("local");
    const Value* spec = value.find("_spec");
    const Value* meta = spec == nullptr ? nullptr : spec->find("tensor_meta");
    const Value* made = meta == nullptr ? nullptr : meta->find("args"); // (shape, stride, dtype)
    const Value* size = made != nullptr && !made->items().empty() ? &made->items()[0].value
                        : meta != nullptr                         ? meta->find("shape")
                                                                  : nullptr;
    auto shape = dimsOf(size);
    if (local == nullptr || local->asTensor() == nullptr || !shape || !elementCount(*shape)) {
        return fail(ErrorCode::TorchBadTensor, "A DTensor does not record its size or its part");
    }
    CAIRN_TRY(const Mesh mesh, readMesh(spec->find("mesh"), rank));
    CAIRN_TRY(const Cuts cuts, readCuts(spec->find("placements"), *shape, mesh.shape.size()));
    Box box = localBox(*shape, mesh.shape, mesh.coordinate, cuts.order, cuts.dims);
    ShardedObject object{std::move(*shape), {}};
    object.parts.emplace_back(*local->asTensor(), std::move(box));
    return object;
}

Result<ShardedObject> readShardedTensor(const Value& value) {
    const auto bad = [](Sentence what) {
        return fail(ErrorCode::TorchBadTensor, "A ShardedTensor does not record its shards")
            .butFound(std::move(what));
    };
    const Value* state = value.find("state");
    if (state == nullptr || state->items().size() < 2) {
        return bad("no state");
    }
    const Value& metadata = state->items()[1].value;
    auto shape = dimsOf(metadata.find("size"));
    if (!shape || !elementCount(*shape)) {
        return bad("no size");
    }
    ShardedObject object{std::move(*shape), {}};
    for (const ValueItem& item : state->items()[0].value.items()) {
        const Value* tensor = item.value.find("tensor");
        const Value* place = item.value.find("metadata");
        auto origin = dimsOf(place == nullptr ? nullptr : place->find("shard_offsets"));
        auto extent = dimsOf(place == nullptr ? nullptr : place->find("shard_sizes"));
        if (tensor == nullptr || tensor->asTensor() == nullptr || !origin || !extent) {
            return bad("a shard without a tensor or a position");
        }
        Box box{std::move(*origin), std::move(*extent)};
        const bool empty = elementCount(box.extent) == 0;
        if (!empty && !fitsInto(box, object.shape)) {
            return bad("a shard outside the tensor");
        }
        object.parts.emplace_back(*tensor->asTensor(), std::move(box));
    }
    return object;
}

} // namespace

Box localBox(const Shape& shape, const Dims& mesh, const Dims& coordinate,
             const std::vector<std::size_t>& order, const Dims& dims) {
    Box box = Box::whole(shape);
    for (const std::size_t m : order) {
        const auto d = static_cast<std::size_t>(dims[m]);
        const std::int64_t length = box.extent[d];
        const std::int64_t full = length == 0 ? 0 : (length - 1) / mesh[m] + 1;
        const std::int64_t index = coordinate[m];
        // index * full can overflow only if the shard is empty.
        const bool beyond = full == 0 || index > (length - 1) / full;
        const std::int64_t offset = beyond ? length : full * index;
        box.origin[d] += offset;
        box.extent[d] = std::min(full, length - offset);
    }
    return box;
}

std::optional<Result<ShardedObject>> readShardedObject(const Value& value, std::uint32_t rank) {
    if (isClass(value, "DTensor")) {
        return readDTensor(value, rank);
    }
    if (isClass(value, "ShardedTensor")) {
        return readShardedTensor(value);
    }
    return std::nullopt;
}

} // namespace cairn::formats::ranks

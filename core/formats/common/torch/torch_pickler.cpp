// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/torch/torch_pickler.h"

#include <array>
#include <utility>

namespace cairn::formats {
namespace {

struct StorageClass {
    Dtype dtype;
    std::string_view name;
};

// dtypes with a storage class; all others use UntypedStorage and _rebuild_tensor_v3.
constexpr auto kStorageClasses = std::to_array<StorageClass>({
    {Dtype::Float64, "DoubleStorage"},
    {Dtype::Float32, "FloatStorage"},
    {Dtype::Float16, "HalfStorage"},
    {Dtype::Bfloat16, "BFloat16Storage"},
    {Dtype::Int64, "LongStorage"},
    {Dtype::Int32, "IntStorage"},
    {Dtype::Int16, "ShortStorage"},
    {Dtype::Int8, "CharStorage"},
    {Dtype::Uint8, "ByteStorage"},
    {Dtype::Bool, "BoolStorage"},
    {Dtype::Complex64, "ComplexFloatStorage"},
    {Dtype::Complex128, "ComplexDoubleStorage"},
});

std::string_view storageClass(Dtype dtype) {
    for (const StorageClass& row : kStorageClasses) {
        if (row.dtype == dtype) {
            return row.name;
        }
    }
    return {};
}

bool representable(Dtype dtype) {
    const DtypeInfo& info = dtypeInfo(dtype);
    return !info.torchName.empty() && info.bits % 8 == 0 && info.kind != DtypeKind::Quantized;
}

} // namespace

ValuePickler::ValuePickler(std::span<const LayoutTensor> tensors, Objects objects)
    : m_tensors(tensors), m_objects(objects), m_written(tensors.size(), false) {
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        m_positions.emplace(tensors[i].source.value, i);
    }
}

Result<std::vector<std::byte>> ValuePickler::write(const Value* values) {
    const bool wrapped = values == nullptr || values->kind() == ValueKind::Null;
    if (wrapped) {
        orderedDict();
        m_pickle.mark();
    } else if (values->kind() == ValueKind::Dict) {
        openDict(*values);
        m_pickle.mark();
        CAIRN_CHECK(items(*values, Items::Keyed));
    } else { // a root that is not a dict is written unchanged
        CAIRN_CHECK(value(*values));
        return std::move(m_pickle).finish();
    }
    CAIRN_CHECK(unmentioned());
    m_pickle.setItems();
    return std::move(m_pickle).finish();
}

Result<std::vector<std::byte>> ValuePickler::writeAlone(const Value& alone) {
    CAIRN_CHECK(value(alone));
    return std::move(m_pickle).finish();
}

Result<void> ValuePickler::unmentioned() {
    for (std::size_t i = 0; i < m_tensors.size(); ++i) {
        if (!m_written[i]) {
            m_pickle.text(m_tensors[i].name);
            CAIRN_CHECK(tensor(i));
        }
    }
    return {};
}

void ValuePickler::orderedDict() {
    m_pickle.global("collections", "OrderedDict");
    m_pickle.emptyTuple();
    m_pickle.reduce();
}

void ValuePickler::dims(const Dims& dims) {
    m_pickle.mark();
    for (const std::int64_t extent : dims.span()) {
        m_pickle.integer(extent);
    }
    m_pickle.tuple();
}

void ValuePickler::storage(std::size_t position, bool untyped) {
    const std::size_t holder = m_tensors[position].aliasOf.value_or(position);
    const LayoutTensor& stored = m_tensors[holder];
    const std::uint64_t elements = elementCount(stored.shape).value_or(0);
    m_pickle.mark();
    m_pickle.text("storage");
    if (untyped) {
        m_pickle.global("torch.storage", "UntypedStorage");
    } else {
        m_pickle.global("torch", storageClass(stored.dtype));
    }
    m_pickle.text(std::to_string(holder));
    m_pickle.text("cpu");
    m_pickle.integer(static_cast<std::int64_t>(
        untyped ? dtypeBytes(stored.dtype, elements).value_or(0) : elements));
    m_pickle.tuple();
    m_pickle.persistentId();
}

Result<void> ValuePickler::tensor(std::size_t position) {
    const LayoutTensor& tensor = m_tensors[position];
    if (!representable(tensor.dtype)) {
        return fail(ErrorCode::DtypeNotRepresentable, "A .pt file cannot store this tensor's dtype")
            .inTensor(std::string(tensor.name))
            .butFound(verbatim(std::string(dtypeName(tensor.dtype))))
            .withHint("Leave out the tensor with --only, or copy the file unchanged");
    }
    m_written[position] = true;
    const bool untyped = storageClass(tensor.dtype).empty();
    m_pickle.global("torch._utils", untyped ? "_rebuild_tensor_v3" : "_rebuild_tensor_v2");
    m_pickle.mark();
    storage(position, untyped);
    m_pickle.integer(0);
    dims(tensor.shape);
    dims(denseStrides(tensor.shape));
    m_pickle.boolean(false); // requires_grad
    orderedDict();           // backward hooks
    if (untyped) {
        m_pickle.global("torch", dtypeInfo(tensor.dtype).torchName);
    }
    m_pickle.tuple();
    m_pickle.reduce();
    return {};
}

bool ValuePickler::omitted(const Value& value) const {
    const TensorIndex* tensor = value.asTensor();
    return tensor != nullptr && !m_positions.contains(tensor->value);
}

Result<void> ValuePickler::value(const Value& value) {
    switch (value.kind()) {
    case ValueKind::Null:
        m_pickle.none();
        return {};
    case ValueKind::Bool:
        m_pickle.boolean(*value.asBool());
        return {};
    case ValueKind::Int:
        m_pickle.integer(*value.asInt());
        return {};
    case ValueKind::BigInt:
        m_pickle.bigInteger(value.asBigInt()->digits);
        return {};
    case ValueKind::Float:
        m_pickle.number(*value.asFloat());
        return {};
    case ValueKind::String:
        m_pickle.text(*value.asString());
        return {};
    case ValueKind::Bytes:
        m_pickle.bytes(*value.asBytes());
        return {};
    case ValueKind::Tensor:
        if (omitted(value)) {
            m_pickle.none();
            return {};
        }
        return tensor(m_positions.at(value.asTensor()->value));
    default:
        return container(value);
    }
}

Result<void> ValuePickler::container(const Value& value) {
    if (const auto known = m_shared.find(value.identity()); known != m_shared.end()) {
        m_pickle.get(known->second);
        return {};
    }
    switch (value.kind()) {
    case ValueKind::Dict:
    case ValueKind::Object:
        CAIRN_CHECK(dict(value));
        break;
    case ValueKind::Tuple:
        m_pickle.mark();
        CAIRN_CHECK(items(value, Items::Bare));
        m_pickle.tuple();
        break;
    case ValueKind::Set:
        m_pickle.global("__builtin__", "set");
        m_pickle.mark();
        m_pickle.emptyList();
        m_pickle.mark();
        CAIRN_CHECK(items(value, Items::Bare));
        m_pickle.appends();
        m_pickle.tuple();
        m_pickle.reduce();
        break;
    default:
        m_pickle.emptyList();
        m_pickle.mark();
        CAIRN_CHECK(items(value, Items::Bare));
        m_pickle.appends();
        break;
    }
    m_shared.emplace(value.identity(), m_pickle.put());
    return {};
}

Result<void> ValuePickler::dict(const Value& value) {
    if (value.kind() == ValueKind::Object) {
        if (const auto own = ownTensor(value)) {
            return tensor(*own);
        }
    }
    const bool isNamespace = m_objects == Objects::Namespaces &&
                             value.kind() == ValueKind::Object &&
                             value.asNode()->className == "argparse.Namespace";
    if (isNamespace) {
        m_pickle.global("argparse", "Namespace");
        m_pickle.emptyTuple();
        m_pickle.reduce();
    }
    openDict(value);
    m_pickle.mark();
    if (value.kind() == ValueKind::Object && !isNamespace) {
        m_pickle.text("$class");
        m_pickle.text(value.asNode()->className);
    }
    CAIRN_CHECK(items(value, Items::Keyed));
    m_pickle.setItems();
    if (isNamespace) {
        m_pickle.build();
    }
    return {};
}

Result<void> ValuePickler::items(const Value& value, Items kind) {
    const bool keyed = kind == Items::Keyed;
    const std::size_t length = m_path.size();
    std::size_t index = 0;
    for (const ValueItem& item : value.items()) {
        if (keyed) {
            if (omitted(item.value)) {
                continue;
            }
            CAIRN_CHECK(this->value(item.key));
        }
        m_path +=
            (m_path.empty() ? "" : ".") + (keyed ? keyText(item.key) : std::to_string(index++));
        CAIRN_CHECK(this->value(item.value));
        m_path.resize(length);
    }
    return {};
}

void ValuePickler::openDict(const Value& value) {
    if (value.asNode()->className == "collections.OrderedDict") {
        orderedDict();
    } else {
        m_pickle.emptyDict();
    }
}

std::optional<std::size_t> ValuePickler::ownTensor(const Value& object) const {
    for (const ValueItem& item : object.items()) {
        const TensorIndex* reference = item.value.asTensor();
        const auto position =
            reference == nullptr ? m_positions.end() : m_positions.find(reference->value);
        if (position != m_positions.end() && m_tensors[position->second].name == m_path) {
            return position->second;
        }
    }
    return std::nullopt;
}

} // namespace cairn::formats

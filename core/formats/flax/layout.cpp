// SPDX-License-Identifier: Apache-2.0
#include "core/formats/flax/layout.h"

#include "core/codec/msgpack/msgpack_writer.h"
#include "core/formats/common/jax/flax_arrays.h"
#include "core/formats/common/jax/output_tree.h"
#include "core/formats/common/members/flat_range.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>

namespace cairn::formats::flax {
namespace {

/// MAX_CHUNK_SIZE: elements of larger arrays are cut into arrays of this size.
constexpr std::uint64_t kMaxChunk = std::uint64_t{1} << 30U;
constexpr std::uint64_t kMaxLength = 0xffff'ffff; ///< of MessagePack's payloads and counts

class Layout {
public:
    explicit Layout(const LayoutRequest& request) : m_tensors(request) {
        m_file.name = request.baseName + ".msgpack";
    }

    Result<OutputLayout> run(const Value& tree) {
        CAIRN_CHECK(write(tree, {}));
        flush();
        OutputLayout layout;
        layout.files.push_back(std::move(m_file));
        return layout;
    }

private:
    /// What was written since the last tensor becomes a literal.
    void flush() {
        if (m_out.size() > 0) {
            const std::uint64_t length = m_out.size();
            m_file.addLiteral(m_file.size, m_out.take());
            m_file.size += length;
        }
    }

    void addSegment(const LayoutTensor& tensor, Box box, std::uint64_t bytes) {
        flush();
        TensorSegment segment;
        segment.offset = m_file.size;
        segment.length = bytes;
        segment.source = tensor.source;
        segment.name = tensor.name;
        segment.box = std::move(box);
        segment.dtype = tensor.dtype;
        m_file.size += bytes;
        m_file.tensors.push_back(std::move(segment));
    }

    /// The parts of an extension up to the elements, which follow.
    void arrayHead(const Dims& shape, std::string_view dtype, std::uint64_t bytes) {
        msgpack::Writer inner;
        inner.arrayHead(3);
        inner.arrayHead(shape.size());
        for (const std::int64_t extent : shape.span()) {
            inner.integer(extent);
        }
        inner.text(dtype);
        inner.binaryHead(bytes);
        m_out.extensionHead(cairn::flax::kArray, inner.size() + bytes);
        m_out.append(inner.take());
    }

    Result<void> tensor(const LayoutTensor& tensor) {
        CAIRN_TRY(const jax::ArrayType type, jax::arrayType(tensor));
        if (type.bytes > kMaxChunk) {
            chunks(tensor, type);
            return {};
        }
        arrayHead(tensor.shape, type.name, type.bytes);
        if (type.bytes > 0) {
            addSegment(tensor, Box::whole(tensor.shape), type.bytes);
        }
        return {};
    }

    void chunks(const LayoutTensor& tensor, const jax::ArrayType& type) {
        const std::uint64_t width = type.width;
        const std::uint64_t count = type.bytes / width;
        const std::uint64_t most = std::max<std::uint64_t>(1, kMaxChunk / width);
        const auto position = [&](std::size_t i) { m_out.text(std::to_string(i)); };
        m_out.mapHead(3);
        m_out.text(cairn::flax::kChunkedKey);
        m_out.boolean(true);
        m_out.text("shape");
        m_out.mapHead(tensor.shape.size());
        for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
            position(i);
            m_out.integer(tensor.shape[i]);
        }
        m_out.text("chunks");
        m_out.mapHead((count + most - 1) / most);
        std::size_t number = 0;
        for (std::uint64_t first = 0; first < count; first += most) {
            const std::uint64_t elements = std::min(most, count - first);
            position(number++);
            arrayHead(Dims({static_cast<std::int64_t>(elements)}), type.name, elements * width);
            for (Box& box : boxesOfRun(tensor.shape, first, elements)) {
                const std::uint64_t inside = elementCount(box.extent).value_or(0) * width;
                addSegment(tensor, std::move(box), inside);
            }
        }
    }

    Result<void> items(const Value& value, const std::string& place) {
        if (value.items().size() > kMaxLength) {
            return jax::notStorable(value, place, "MessagePack");
        }
        m_out.mapHead(value.items().size());
        std::size_t position = 0;
        for (const ValueItem& item : value.items()) {
            const std::string key =
                item.key.kind() == ValueKind::Null && value.kind() != ValueKind::Dict
                    ? std::to_string(position)
                    : keyText(item.key);
            m_out.text(key);
            CAIRN_CHECK(write(item.value, jax::placeBelow(place, key)));
            ++position;
        }
        return {};
    }

    Result<void> bigNumber(const Value& value, const std::string& place) {
        const std::string& digits = value.asBigInt()->digits;
        std::uint64_t number = 0;
        const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
        if (read.ec != std::errc() || read.ptr != digits.data() + digits.size()) {
            return jax::notStorable(value, place, "MessagePack");
        }
        m_out.wide(number);
        return {};
    }

    /// Recursion is limited by outputTree().
    Result<void> write(const Value& value, const std::string& place) {
        switch (value.kind()) {
        case ValueKind::Null:
            m_out.nil();
            return {};
        case ValueKind::Bool:
            m_out.boolean(*value.asBool());
            return {};
        case ValueKind::Int:
            m_out.integer(*value.asInt());
            return {};
        case ValueKind::BigInt:
            return bigNumber(value, place);
        case ValueKind::Float:
            m_out.real(*value.asFloat());
            return {};
        case ValueKind::String:
            m_out.text(*value.asString());
            return {};
        case ValueKind::Bytes:
            m_out.binary(*value.asBytes());
            return {};
        case ValueKind::Tensor: {
            CAIRN_TRY(const LayoutTensor* found, m_tensors.take(*value.asTensor(), place));
            return tensor(*found);
        }
        case ValueKind::List:
        case ValueKind::Tuple:
        case ValueKind::Dict:
            return items(value, place);
        default:
            break;
        }
        const auto parts = jax::complexParts(value);
        if (!parts) {
            return jax::notStorable(value, place, "MessagePack");
        }
        msgpack::Writer inner;
        inner.arrayHead(2);
        inner.real(parts->first);
        inner.real(parts->second);
        m_out.extensionHead(cairn::flax::kComplex, inner.size());
        m_out.append(inner.take());
        return {};
    }

    jax::RequestTensors m_tensors;
    OutputFile m_file;
    msgpack::Writer m_out;
};

} // namespace

Result<OutputLayout> layOut(const LayoutRequest& request) {
    if (request.maxShardBytes != 0) {
        return fail(ErrorCode::InvalidArgument, "Flax writes a single file")
            .withHint("--to orbax writes a file for each tensor");
    }
    CAIRN_TRY(const Value tree, jax::outputTree(request));
    if (tree.kind() != ValueKind::Dict) {
        return fail(ErrorCode::Unsupported, "The root of a Flax file is a map")
            .withHint(jax::tensorsAlone());
    }
    if (tree.items().empty()) { // one byte, which nothing recognises
        return fail(ErrorCode::Unsupported, "An empty tree is not written to Flax");
    }
    return Layout(request).run(tree);
}

} // namespace cairn::formats::flax

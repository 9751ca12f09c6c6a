// SPDX-License-Identifier: Apache-2.0
#include "app/cli/json_output.h"

#include "app/cli/plain_value.h"
#include "core/model/checked_elements.h"
#include "core/model/element.h"

#include <cmath>
#include <string>

namespace cairn::cli {
namespace {

std::string base64(std::span<const std::byte> bytes) {
    static constexpr std::string_view kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const auto at = [&](std::size_t k) {
            return i + k < bytes.size() ? std::to_integer<unsigned>(bytes[i + k]) : 0U;
        };
        const unsigned word = (at(0) << 16U) | (at(1) << 8U) | at(2);
        for (unsigned k = 0; k < 4; ++k) {
            const bool there = k < 2 || i + k - 1 < bytes.size();
            out += there ? kDigits[(word >> (18 - 6 * k)) & 63U] : '=';
        }
    }
    return out;
}

void writeBytes(JsonWriter& json, std::span<const std::byte> bytes) {
    json.beginObject();
    json.member("$bytes", bytes.size());
    if (bytes.size() <= kMaxBase64) {
        json.member("base64", base64(bytes));
    }
    json.endObject();
}

class ValueWriter {
public:
    ValueWriter(JsonWriter& json, const Checkpoint& checkpoint, const CancelToken& cancel)
        : m_json(json), m_checkpoint(checkpoint), m_plain(checkpoint), m_cancel(cancel) {}

    void write(const Value& value) {
        if (m_nodes >= kMaxNodes || m_cancel.cancelled()) {
            writeTruncated();
            return;
        }
        ++m_nodes;
        switch (value.kind()) {
        case ValueKind::Null:
            return m_json.null();
        case ValueKind::Bool:
            return m_json.boolean(*value.asBool());
        case ValueKind::Int:
            return m_json.integer(*value.asInt());
        case ValueKind::BigInt:
            return writeBigInt(value.asBigInt()->digits);
        case ValueKind::Float:
            return m_json.number(*value.asFloat());
        case ValueKind::String:
            return m_json.string(*value.asString());
        case ValueKind::Bytes:
            return writeBytes(m_json, *value.asBytes());
        case ValueKind::Tensor:
            return writeTensor(*value.asTensor());
        case ValueKind::List:
        case ValueKind::Tuple:
        case ValueKind::Set:
            return writeItems(value);
        case ValueKind::Dict:
            return writeDict(value);
        case ValueKind::Object:
            return writeObject(value);
        }
    }

private:
    void writeTruncated() {
        m_json.beginObject();
        m_json.member("$truncated", true);
        m_json.endObject();
    }

    /// 64-bit integers, signed or not, are numbers; larger ones are text.
    void writeBigInt(const std::string& digits) {
        static constexpr std::string_view kMaxUnsigned = "18446744073709551615";
        const bool fits = !digits.empty() && digits[0] != '-' &&
                          digits.find('x') == std::string::npos &&
                          (digits.size() < kMaxUnsigned.size() ||
                           (digits.size() == kMaxUnsigned.size() && digits <= kMaxUnsigned));
        return fits ? m_json.digits(digits) : m_json.string(digits);
    }

    void writeTensor(TensorIndex index) {
        const TensorEntry& tensor = m_checkpoint.tensor(index);
        if (!m_plain.isScalar(tensor) || m_scalars >= kMaxScalarTensors) {
            m_json.beginObject();
            m_json.member("$tensor", tensor.name);
            m_json.endObject();
            return;
        }
        ++m_scalars;
        const auto read = readChecked(m_checkpoint, tensor, PlainValues::kMaxScalarBytes);
        if (!read) {
            return m_json.null(); // the notices and `check` give the reason
        }
        const std::span<const std::byte> bytes = read->bytes;
        switch (dtypeInfo(tensor.dtype).kind) {
        case DtypeKind::Bool:
            return m_json.boolean(elementAsDouble(tensor.dtype, bytes) != 0);
        case DtypeKind::Unsigned:
        case DtypeKind::Signed:
            return m_json.digits(elementText(tensor.dtype, bytes));
        default:
            return m_json.number(elementAsDouble(tensor.dtype, bytes));
        }
    }

    void writeItems(const Value& value) {
        m_json.beginArray();
        for (const ValueItem& item : value.items()) {
            write(item.value);
            if (m_nodes >= kMaxNodes) {
                break;
            }
        }
        m_json.endArray();
    }

    void writeDict(const Value& value) {
        const std::string& kind = value.asNode()->className;
        m_json.beginObject();
        if (value.kind() == ValueKind::Dict && !kind.empty() && !kind.starts_with("collections.")) {
            m_json.member("$class", kind); // a module, whose values have the same paths as names
        }
        for (const ValueItem& item : value.items()) {
            if (!m_plain.hasPlain(item.value)) {
                continue;
            }
            if (m_nodes >= kMaxNodes) {
                m_json.member("$truncated", true);
                break;
            }
            m_json.key(keyText(item.key));
            write(item.value);
        }
        m_json.endObject();
    }

    void writeObject(const Value& value) {
        m_json.beginObject();
        m_json.member("$class", value.asNode()->className);
        m_json.key("$state");
        writeDict(value);
        m_json.endObject();
    }

    JsonWriter& m_json;
    const Checkpoint& m_checkpoint;
    PlainValues m_plain;
    const CancelToken& m_cancel;
    std::size_t m_nodes = 0;
    std::size_t m_scalars = 0;
};

} // namespace

void writeError(JsonWriter& json, const Error& error) {
    json.beginObject();
    json.member("code", errorName(error.code));
    json.member("message", error.message);
    json.key("where");
    json.beginObject();
    json.memberOrNull("file", error.where.file);
    json.key("offset");
    if (error.where.offset) {
        json.natural(*error.where.offset);
    } else {
        json.null();
    }
    json.memberOrNull("tensor", error.where.tensor);
    if (!error.where.field.empty()) {
        json.member("field", error.where.field);
    }
    json.endObject();
    json.memberOrNull("found", error.found);
    json.memberOrNull("expected", error.expected);
    json.memberOrNull("hint", error.hint);
    json.endObject();
}

void writeNotice(JsonWriter& json, const Notice& notice) {
    json.beginObject();
    json.member("code", errorName(notice.error.code));
    json.member("severity", severityName(notice.severity));
    json.member("message", notice.error.message);
    json.key("where");
    json.beginObject();
    json.memberOrNull("file", notice.error.where.file);
    json.key("offset");
    if (notice.error.where.offset) {
        json.natural(*notice.error.where.offset);
    } else {
        json.null();
    }
    json.memberOrNull("tensor", notice.error.where.tensor);
    if (!notice.error.where.field.empty()) {
        json.member("field", notice.error.where.field);
    }
    json.endObject();
    json.memberOrNull("found", notice.error.found);
    json.memberOrNull("expected", notice.error.expected);
    json.memberOrNull("hint", notice.error.hint);
    json.endObject();
}

void writeNotices(JsonWriter& json, std::string_view name, std::span<const Notice> notices) {
    json.key(name);
    json.beginArray();
    for (const Notice& notice : notices) {
        writeNotice(json, notice);
    }
    json.endArray();
}

void writeDims(JsonWriter& json, const Dims& dims) {
    json.beginArray();
    for (const std::int64_t extent : dims.span()) {
        json.integer(extent);
    }
    json.endArray();
}

void writeFiles(JsonWriter& json, std::string_view name, const Checkpoint& checkpoint) {
    json.key(name);
    json.beginArray();
    for (const CheckpointFile& file : checkpoint.files()) {
        json.beginObject();
        json.member("path", file.path);
        json.member("bytes", file.identity.size);
        if (file.missing) {
            json.member("missing", true);
        }
        json.endObject();
    }
    json.endArray();
}

void writeTotals(JsonWriter& json, std::string_view name, const Totals& totals) {
    json.key(name);
    json.beginObject();
    json.member("tensors", totals.tensors);
    json.member("bytes", totals.bytes);
    json.member("stored_bytes", totals.storedBytes);
    json.key("by_dtype");
    json.beginObject();
    for (const auto& [dtype, bytes] : totals.byDtype) {
        json.member(dtypeName(dtype), bytes);
    }
    json.endObject();
    json.key("by_role");
    json.beginObject();
    for (const auto& [role, bytes] : totals.byRole) {
        json.member(roleName(role), bytes);
    }
    json.endObject();
    json.endObject();
}

void writeValue(JsonWriter& json, const Value& value, const Checkpoint& checkpoint,
                const CancelToken& cancel) {
    ValueWriter(json, checkpoint, cancel).write(value);
}

} // namespace cairn::cli

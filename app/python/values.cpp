// SPDX-License-Identifier: Apache-2.0
#include "app/python/values.h"

#include "app/cli/json_output.h"
#include "app/cli/plain_value.h"
#include "app/python/errors.h"
#include "core/model/checked_elements.h"
#include "core/model/element.h"

#include <string>
#include <unordered_map>
#include <unordered_set>

namespace nb = nanobind;

namespace cairn::python {
namespace {

/// Digits of a file: decimal or "0x…"; text if Python refuses them, as it does beyond 4,300 digits.
nb::object bigInteger(const std::string& digits) {
    PyObject* const number = PyLong_FromString(digits.c_str(), nullptr, 0);
    if (number == nullptr) {
        PyErr_Clear();
        return textOf(digits);
    }
    return nb::steal(number);
}

class Converter {
public:
    Converter(const Checkpoint& checkpoint, const LoadedValues& values)
        : m_checkpoint(checkpoint), m_values(values), m_plain(checkpoint) {}

    nb::object convert(const Value& value) {
        switch (value.kind()) {
        case ValueKind::Null:
            return nb::none();
        case ValueKind::Bool:
            return nb::bool_(*value.asBool());
        case ValueKind::Int:
            return nb::int_(*value.asInt());
        case ValueKind::BigInt:
            return bigInteger(value.asBigInt()->digits);
        case ValueKind::Float:
            return nb::float_(*value.asFloat());
        case ValueKind::String:
            return textOf(*value.asString());
        case ValueKind::Bytes:
            return nb::bytes(value.asBytes()->data(), value.asBytes()->size());
        case ValueKind::Tensor:
            return tensor(*value.asTensor());
        default:
            return container(value);
        }
    }

private:
    nb::object container(const Value& value) {
        if (const auto known = m_known.find(value.identity()); known != m_known.end()) {
            return known->second;
        }
        nb::object made;
        switch (value.kind()) {
        case ValueKind::Dict:
            made = dict(value, true);
            break;
        case ValueKind::Object: {
            nb::dict object;
            object["$class"] = textOf(value.asNode()->className);
            object["$state"] = dict(value, false);
            made = object;
            break;
        }
        case ValueKind::Tuple:
            made = nb::tuple(list(value));
            break;
        default:
            made = list(value);
            break;
        }
        m_known.emplace(value.identity(), made);
        return made;
    }

    nb::list list(const Value& value) {
        nb::list items;
        for (const ValueItem& item : value.items()) {
            items.append(convert(item.value));
        }
        return items;
    }

    nb::dict dict(const Value& value, bool named) {
        nb::dict items;
        const std::string& kind = value.asNode()->className;
        if (named && !kind.empty() && !kind.starts_with("collections.")) {
            items["$class"] = textOf(kind);
        }
        for (const ValueItem& item : value.items()) {
            if (m_plain.hasPlain(item.value)) {
                items[key(item.key)] = convert(item.value);
            }
        }
        return items;
    }

    /// Keys of plain types keep them; others become the text that names contain.
    nb::object key(const Value& value) {
        switch (value.kind()) {
        case ValueKind::Null:
        case ValueKind::Bool:
        case ValueKind::Int:
        case ValueKind::BigInt:
        case ValueKind::Float:
        case ValueKind::String:
        case ValueKind::Bytes:
            return convert(value);
        default:
            return textOf(keyText(value));
        }
    }

    nb::object tensor(TensorIndex index) {
        const TensorEntry& entry = m_checkpoint.tensor(index);
        const auto read = m_values.scalars.find(index.position());
        if (read == m_values.scalars.end()) {
            if (m_plain.isScalar(entry)) {
                return nb::none(); // the notices and check() give the reason
            }
            nb::dict reference;
            reference["$tensor"] = textOf(entry.name);
            return reference;
        }
        const std::vector<std::byte>& bytes = read->second;
        switch (dtypeInfo(entry.dtype).kind) {
        case DtypeKind::Bool:
            return nb::bool_(elementAsDouble(entry.dtype, bytes) != 0);
        case DtypeKind::Unsigned:
        case DtypeKind::Signed:
            return bigInteger(elementText(entry.dtype, bytes));
        default:
            return nb::float_(elementAsDouble(entry.dtype, bytes));
        }
    }

    const Checkpoint& m_checkpoint;
    const LoadedValues& m_values;
    cli::PlainValues m_plain;
    std::unordered_map<const void*, nb::object> m_known;
};

/// Reads the 0-d tensors that a tree references.
class ScalarLoader {
public:
    ScalarLoader(const Checkpoint& checkpoint, const CancelToken& cancel)
        : m_checkpoint(checkpoint), m_plain(checkpoint), m_cancel(cancel) {}

    void load(const Value& value, LoadedValues& into) {
        if (const TensorIndex* index = value.asTensor()) {
            const TensorEntry& entry = m_checkpoint.tensor(*index);
            const bool wanted = m_plain.isScalar(entry) && m_count < cli::kMaxScalarTensors &&
                                !into.scalars.contains(index->position());
            if (!wanted || m_cancel.cancelled()) {
                return;
            }
            ++m_count;
            auto read = readChecked(m_checkpoint, entry, cli::PlainValues::kMaxScalarBytes);
            if (read) {
                into.scalars.emplace(index->position(), std::move(read->bytes));
            }
        } else if (value.isContainer() && m_seen.insert(value.identity()).second) {
            for (const ValueItem& item : value.items()) {
                load(item.value, into);
            }
        }
    }

private:
    const Checkpoint& m_checkpoint;
    cli::PlainValues m_plain;
    const CancelToken& m_cancel;
    std::unordered_set<const void*> m_seen;
    std::size_t m_count = 0;
};

} // namespace

Result<LoadedValues> loadValues(const Checkpoint& checkpoint, const CancelToken& cancel) {
    LoadedValues values;
    CAIRN_TRY(values.root, checkpoint.values(cancel));
    ScalarLoader(checkpoint, cancel).load(values.root, values);
    CAIRN_CHECK(cancel.check());
    return values;
}

nb::object valuesOf(const Checkpoint& checkpoint, const LoadedValues& values) {
    return Converter(checkpoint, values).convert(values.root);
}

} // namespace cairn::python

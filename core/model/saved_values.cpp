// SPDX-License-Identifier: Apache-2.0
#include "core/model/saved_values.h"

#include "core/base/error_code_named.h"
#include "core/base/other_machine.h"
#include "core/model/announced_reads.h"
#include "core/model/checked_elements.h"
#include "core/model/element.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace cairn {
namespace {

constexpr std::string_view kUnreadable = "cairn.Unreadable";
constexpr std::uint64_t kLargestValue = std::uint64_t{64} << 10U; ///< a generator's state has 5 KiB

std::vector<ValueItem> unreadableItems(const Error& error) {
    std::vector<ValueItem> items{{Value("code"), Value(errorName(error.code))},
                                 {Value("message"), Value(describe(error))},
                                 {Value("reason"), Value(error.message.text())},
                                 {Value("file"), Value(error.where.file)},
                                 {Value("item"), Value(error.where.field)}};
    if (error.where.offset) {
        items.push_back({Value("offset"), Value(static_cast<std::int64_t>(*error.where.offset))});
    }
    if (!error.found.empty() && !error.expected.empty()) { // both sides of a contradiction
        items.push_back({Value("found"), Value(error.found.text())});
        items.push_back({Value("expected"), Value(error.expected.text())});
    }
    return items;
}

Value unreadableOf(std::vector<ValueItem> items) {
    return Value::object(std::string(kUnreadable), std::move(items));
}

Error errorOf(const ValueNode& node) {
    const auto textOf = [&](std::string_view wanted) {
        for (const ValueItem& item : node.items) {
            const std::string* text = item.value.asString();
            if (text != nullptr && keyText(item.key) == wanted) {
                return *text;
            }
        }
        return std::string();
    };
    Error error = fail(errorCodeNamed(textOf("code")), verbatim(textOf("reason")));
    error.where.file = textOf("file");
    error.where.field = textOf("item");
    error.where.tensor = textOf("tensor");
    error.found = verbatim(textOf("found"));
    error.expected = verbatim(textOf("expected"));
    for (const ValueItem& item : node.items) {
        const std::int64_t* offset = item.value.asInt();
        if (offset != nullptr && *offset >= 0 && keyText(item.key) == "offset") {
            error.where.offset = static_cast<std::uint64_t>(*offset);
        }
    }
    return error;
}

std::optional<TensorIndex> tensorOf(const ValueNode& node) {
    for (const ValueItem& item : node.items) {
        if (const TensorIndex* tensor = item.value.asTensor()) {
            return *tensor;
        }
    }
    return std::nullopt;
}

/// Depth of the recursion is limited by Value::kMaxDepth.
class Separator {
public:
    SavedValues run(const Value& root) {
        SavedValues saved;
        m_saved = &saved;
        const auto usable = keep(root, std::string());
        saved.usable = usable.value_or(Value());
        std::ranges::sort(saved.tensors);
        return saved;
    }

private:
    /// Nothing: the value must be left out.
    std::optional<Value> keep(const Value& value, const std::string& path) {
        const ValueNode* node = value.asNode();
        if (node == nullptr) {
            return value;
        }
        if (const auto known = m_done.find(node); known != m_done.end()) {
            return known->second;
        }
        const bool unreadable = node->className == kUnreadable;
        std::optional<Value> kept = unreadable ? std::nullopt : keepNode(value, *node, path);
        if (unreadable) {
            ++m_saved->unusableCount;
            if (m_saved->unusable.size() < SavedValues::kMaxUnusable) {
                m_saved->unusable.push_back({path, errorOf(*node)});
            }
            if (const auto tensor = tensorOf(*node)) {
                m_saved->tensors.push_back(*tensor);
            }
        }
        m_done.emplace(node, kept);
        return kept;
    }

    std::optional<Value> keepNode(const Value& value, const ValueNode& node,
                                  const std::string& path) {
        const bool named = node.kind == ValueKind::Dict || node.kind == ValueKind::Object;
        bool changed = false;
        bool cut = false;
        std::vector<ValueItem> items;
        items.reserve(node.items.size());
        for (std::size_t i = 0; i < node.items.size(); ++i) {
            const ValueItem& item = node.items[i];
            auto kept = item.value.isContainer() ? keep(item.value, below(path, item, i, named))
                                                 : std::optional(item.value);
            if (!kept) {
                cut = true;
                continue;
            }
            changed = changed || kept->identity() != item.value.identity();
            items.push_back({item.key, std::move(*kept)});
        }
        if (cut && !named) {
            return std::nullopt;
        }
        if (!changed && !cut) {
            return value;
        }
        return Value::container({node.kind, node.className, std::move(items)});
    }

    static std::string below(const std::string& path, const ValueItem& item, std::size_t position,
                             bool named) {
        std::string part = named ? keyText(item.key) : std::to_string(position);
        return path.empty() ? part : path + "." + part;
    }

    SavedValues* m_saved = nullptr;
    std::unordered_map<const ValueNode*, std::optional<Value>> m_done;
};

/// The machine of the files did not answer: nothing is known of what could not be read.
bool isLost(const Checkpoint& checkpoint, const Error& error) {
    return error.code == ErrorCode::Io && isOnOtherMachine(checkpoint.path());
}

/// Reads the tensors that are values, and replaces those that cannot be used. Depth of the
/// recursion is limited by Value::kMaxDepth.
class TensorExaminer {
public:
    TensorExaminer(const Checkpoint& checkpoint, const CancelToken& cancel)
        : m_checkpoint(checkpoint), m_cancel(cancel) {}

    Result<LoadedValues> run(const LoadedValues& loaded) {
        m_records = loaded.records;
        announce(loaded.value);
        Value value = examine(loaded.value);
        CAIRN_CHECK(m_cancel.check());
        if (m_lost) {
            return std::move(*m_lost);
        }
        if (!m_anyPlain) { // the loader's record holds nothing that counts
            m_records.unchecked -= loaded.records.unchecked;
        }
        return LoadedValues(std::move(value), m_records);
    }

private:
    /// The tensors below a value that examine() will read: each is read alone.
    void announce(const Value& root) {
        std::vector<const TensorEntry*> tensors;
        std::unordered_set<const ValueNode*> seen;
        std::unordered_set<std::size_t> announced;
        std::vector<const Value*> open{&root};
        while (!open.empty() && !m_cancel.cancelled()) {
            const Value& value = *open.back();
            open.pop_back();
            const TensorIndex* index = value.asTensor();
            const ValueNode* node = value.asNode();
            if (index != nullptr && index->position() < m_checkpoint.tensors().size() &&
                isValueTensor(m_checkpoint.tensor(*index))) {
                if (announced.insert(index->position()).second) {
                    tensors.push_back(&m_checkpoint.tensor(*index));
                }
            } else if (node != nullptr && seen.insert(node).second) {
                for (const ValueItem& item : node->items) {
                    open.push_back(&item.value);
                }
            }
        }
        announceReads(m_checkpoint, tensors, m_cancel);
    }

    Value examine(const Value& value) {
        if (const TensorIndex* tensor = value.asTensor()) {
            return examineTensor(value, *tensor);
        }
        const ValueNode* node = value.asNode();
        if (node == nullptr || m_cancel.cancelled() || m_lost) {
            m_anyPlain = m_anyPlain || (node == nullptr && value.kind() != ValueKind::Null);
            return value;
        }
        if (const auto known = m_done.find(node); known != m_done.end()) {
            return known->second;
        }
        bool changed = false;
        std::vector<ValueItem> items;
        items.reserve(node->items.size());
        for (const ValueItem& item : node->items) {
            items.push_back({item.key, examine(item.value)});
            const bool replaced =
                item.value.asTensor() != nullptr && items.back().value.asTensor() == nullptr;
            changed = changed || replaced || items.back().value.identity() != item.value.identity();
        }
        Value examined =
            changed ? Value::container({node->kind, node->className, std::move(items)}) : value;
        m_done.emplace(node, examined);
        return examined;
    }

    Value examineTensor(const Value& value, TensorIndex index) {
        if (index.position() >= m_checkpoint.tensors().size()) {
            return value;
        }
        const TensorEntry& tensor = m_checkpoint.tensor(index);
        if (m_lost) {
            return value;
        }
        if (!isValueTensor(tensor) || !m_seen.insert(index.position()).second) {
            const auto known = m_replaced.find(index.position());
            return known == m_replaced.end() ? value : known->second;
        }
        const auto read = readChecked(m_checkpoint, tensor, kLargestValue);
        if (read) {
            count(read->proof);
            return value;
        }
        if (isLost(m_checkpoint, read.error())) {
            m_lost = read.error();
            return value;
        }
        if (isReportedElsewhere(read.error().code)) {
            return value;
        }
        std::vector<ValueItem> items = unreadableItems(read.error());
        items.push_back({Value("tensor"), Value(std::string_view(tensor.name))});
        items.push_back({Value("index"), Value(index)});
        return m_replaced.emplace(index.position(), unreadableOf(std::move(items))).first->second;
    }

    /// Missing parts are findings of the index.
    static bool isReportedElsewhere(ErrorCode code) {
        return code == ErrorCode::MissingShard || code == ErrorCode::CoverageHole ||
               code == ErrorCode::Truncated || code == ErrorCode::ChangedOnDisk ||
               code == ErrorCode::Cancelled || code == ErrorCode::Unsupported;
    }

    void count(ElementProof proof) {
        m_records.compared += proof == ElementProof::Compared ? 1 : 0;
        m_records.later += proof == ElementProof::Later ? 1 : 0;
        m_records.unchecked += proof == ElementProof::NoChecksum ? 1 : 0;
    }

    const Checkpoint& m_checkpoint;
    const CancelToken& m_cancel;
    ValueRecords m_records;
    bool m_anyPlain = false;
    std::optional<Error> m_lost;
    std::unordered_map<const ValueNode*, Value> m_done;
    std::unordered_set<std::size_t> m_seen; ///< tensors
    std::unordered_map<std::size_t, Value> m_replaced;
};

/// The first mismatch among the large records that values are read from.
Result<void> compareLargeRecords(const Checkpoint& checkpoint, const CancelToken& cancel) {
    for (const StoredChecksum& stored : checkpoint.checksums()) {
        if (stored.holdsValues) {
            CAIRN_CHECK(compareChecksum(checkpoint, stored, cancel));
        }
    }
    return {};
}

/// How many of the other records that values are read from differ from their checksums. The values
/// in it may be gone with the index that is damaged.
Result<std::uint64_t> mismatchedRecords(const Checkpoint& checkpoint, const CancelToken& cancel) {
    std::uint64_t count = 0;
    for (const StoredChecksum& stored : checkpoint.checksums()) {
        if (stored.holdsValues && stored.bytes.length <= kMostCompared) {
            const auto compared = compareChecksum(checkpoint, stored, cancel);
            CAIRN_CHECK(cancel.check());
            if (!compared && isLost(checkpoint, compared.error())) {
                return compared.error();
            }
            count += !compared && compared.error().code == ErrorCode::BadChecksum ? 1 : 0;
        }
    }
    return count;
}

} // namespace

Value unreadableValue(const Error& error) {
    return unreadableOf(unreadableItems(error));
}

bool isValueTensor(const TensorEntry& tensor) {
    const bool state = tensor.role == Role::Rng || tensor.role == Role::TrainingState;
    return (tensor.shape.empty() || state) && tensor.elements() > 0 &&
           hasNumericElements(tensor.dtype) && tensor.bytes() <= kLargestValue;
}

SavedValues savedValues(const Value& values) {
    return Separator().run(values);
}

Result<LoadedValues> loadedValues(const Checkpoint& checkpoint, const CancelToken& cancel,
                                  LargeRecords large) {
    auto values = checkpoint.valuesWithRecords(cancel);
    if (values && large == LargeRecords::Compared) {
        if (auto compared = compareLargeRecords(checkpoint, cancel); !compared) {
            values = std::move(compared).error();
        } else {
            values->records.compared += std::exchange(values->records.later, 0);
        }
    } else if (values) {
        CAIRN_TRY(const std::uint64_t mismatched, mismatchedRecords(checkpoint, cancel));
        values->records.mismatched += mismatched;
    }
    if (!values &&
        (values.error().code == ErrorCode::Cancelled || isLost(checkpoint, values.error()))) {
        return values;
    }
    if (!values) {
        return LoadedValues(unreadableValue(values.error()), {});
    }
    return TensorExaminer(checkpoint, cancel).run(*values);
}

Result<SavedValues> savedValues(const Checkpoint& checkpoint, const CancelToken& cancel) {
    CAIRN_TRY(const LoadedValues loaded, loadedValues(checkpoint, cancel));
    SavedValues saved = savedValues(loaded.value);
    saved.records = loaded.records;
    return saved;
}

Decided<bool> decideSaved(const SavedValues& saved, const std::filesystem::path& checkpoint) {
    std::vector<Claim<bool>> claims;
    const ValueRecords& records = saved.records;
    const std::uint64_t bad = saved.unusableCount + records.mismatched;
    const auto claim = [&](bool value, Strength strength, std::string_view id, Sentence says,
                           std::string field = {}) {
        claims.push_back({value, {strength, id, std::move(says), {checkpoint, std::move(field)}}});
    };
    if (bad > 0) {
        claim(false, Strength::Proven, "values-damaged",
              sentence("%1 stored items are damaged or cannot be read", bad),
              saved.unusable.empty() ? std::string() : saved.unusable.front().path);
        return decide(std::move(claims));
    }
    if (records.unchecked > 0) {
        claim(true, Strength::Recorded, "values-not-checked",
              sentence("Not checked: %1 of %2 stored items have no checksum", records.unchecked,
                       records.total()));
    }
    if (records.later > 0) {
        claim(true, Strength::Recorded, "values-checked-later",
              sentence("Not checked: %1 of %2 stored items are in a large record, whose checksum "
                       "`check` and jobs compare",
                       records.later, records.total()));
    }
    if (claims.empty() && records.compared > 0) { // else not all of them are proven
        claim(true, Strength::Proven, "values-compared",
              sentence("%1 stored items match their checksums", records.compared));
    }
    return decide(std::move(claims));
}

} // namespace cairn

// SPDX-License-Identifier: Apache-2.0
#include "core/formats/dcp/flatten.h"

#include "core/base/name_set.h"
#include "core/base/visible_text.h"
#include "core/formats/dcp/index.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace cairn::formats::dcp {
namespace {

constexpr std::size_t kMaxDepth = 100; ///< of nested containers; deeper ones are stored in one item
constexpr std::uint64_t kMinLeaves = 10'000;

Error badName(std::string_view name, Sentence why) {
    return fail(ErrorCode::NameNotRepresentable,
                "A distributed checkpoint cannot store an entry with this name")
        .inTensor(std::string(name))
        .butFound(std::move(why))
        .withHint("Rename the tensor");
}

Result<void> checkText(std::string_view name) {
    if (!isValidUtf8(name)) {
        return badName(name, "bytes that are not UTF-8");
    }
    if (name.size() > kMaxName) {
        return badName(name.substr(0, 100), sentence("%1 bytes", name.size()));
    }
    return {};
}

class Flattener {
public:
    explicit Flattener(const LayoutRequest& request)
        : m_request(request), m_mentioned(request.tensors.size(), false),
          m_names(request.tensors.size()) {
        for (std::size_t i = 0; request.values != nullptr && i < request.tensors.size(); ++i) {
            m_positions.emplace(request.tensors[i].source.value, i);
        }
    }

    Result<Leaves> run() {
        for (const LayoutTensor& tensor : m_request.tensors) {
            CAIRN_CHECK(checkText(tensor.name));
            if (!m_names.insert(tensor.name)) {
                return badName(tensor.name, "the same name twice");
            }
        }
        if (m_request.values != nullptr) {
            m_budget = kMinLeaves + 4 * (m_request.tensors.size() + countValues(*m_request.values));
            CAIRN_CHECK(root(*m_request.values));
        }
        m_leaves.all.reserve(m_leaves.all.size() + m_request.tensors.size());
        for (std::size_t i = 0; i < m_request.tensors.size(); ++i) {
            if (!m_mentioned[i]) {
                if (!m_flat.insert(std::string(m_request.tensors[i].name)).second) {
                    return badName(m_request.tensors[i].name,
                                   "two entries whose keys, joined with dots, are equal");
                }
                m_leaves.all.push_back({m_request.tensors[i].name, {}, i, {}});
            }
        }
        return std::move(m_leaves);
    }

private:
    std::uint64_t countValues(const Value& value) {
        if (!value.isContainer() || !m_counted.insert(value.identity()).second) {
            return 1;
        }
        std::uint64_t count = 1;
        for (const ValueItem& item : value.items()) {
            count += countValues(item.value);
        }
        return count;
    }

    /// A state dict is a dict: any other root is wrapped in one.
    Result<void> root(const Value& value) {
        if (value.kind() == ValueKind::Null) {
            return {};
        }
        if (!value.isContainer()) {
            m_path = {std::string("value")};
            return leaf(value);
        }
        return items(value, ItemNames::Keys);
    }

    Result<void> visit(const Value& value) {
        switch (value.kind()) {
        case ValueKind::Tensor:
            return tensor(*value.asTensor());
        case ValueKind::Dict:
            return value.items().empty() || m_path.size() >= kMaxDepth
                       ? leaf(value)
                       : items(value, ItemNames::Keys);
        case ValueKind::List:
            return isTerminal(value) || m_path.size() >= kMaxDepth
                       ? leaf(value)
                       : items(value, ItemNames::Indices);
        case ValueKind::Object:
            if (const auto own = ownTensor(value)) {
                return tensor(*own);
            }
            return !hasTensors(value) || m_path.size() >= kMaxDepth ? leaf(value)
                                                                    : items(value, ItemNames::Keys);
        default:
            return leaf(value);
        }
    }

    /// How items appear in the path.
    enum class ItemNames : std::uint8_t { Keys, Indices };

    Result<void> items(const Value& value, ItemNames names) {
        if (value.kind() == ValueKind::Object) {
            m_path.emplace_back("$class");
            CAIRN_CHECK(leaf(Value(value.asNode()->className)));
            m_path.pop_back();
        }
        const bool hasKeys = value.kind() == ValueKind::Dict || value.kind() == ValueKind::Object;
        std::int64_t index = 0;
        for (const ValueItem& item : value.items()) {
            const std::int64_t position = index++;
            if (names == ItemNames::Keys) {
                m_path.emplace_back(hasKeys ? keyText(item.key) : std::to_string(position));
            } else {
                m_path.emplace_back(position);
            }
            CAIRN_CHECK(visit(item.value));
            m_path.pop_back();
        }
        return {};
    }

    Result<void> tensor(TensorIndex source) {
        const auto found = m_positions.find(source.value);
        if (found == m_positions.end()) {
            return {};
        }
        const std::size_t position = found->second;
        std::string_view name = m_request.tensors[position].name;
        if (m_mentioned[position]) {
            name = m_leaves.made.emplace_back(joined());
            if (!m_names.insert(name)) {
                return {}; // the same value occurs twice
            }
        }
        m_mentioned[position] = true;
        return add({name, m_path, position, {}});
    }

    Result<void> leaf(const Value& value) {
        const std::string& name = m_leaves.made.emplace_back(joined());
        markTensors(value);
        return add({name, m_path, std::nullopt, value});
    }

    /// torch joins the keys of a path with dots: {"a.b": 1, "a": {"b": 2}} are one name to it, and
    /// it can neither save nor load them.
    Result<void> add(Leaf leaf) {
        CAIRN_CHECK(checkText(leaf.name));
        if (std::string flat = joined(); !m_flat.insert(flat).second) {
            return badName(flat, "two entries whose keys, joined with dots, are equal");
        }
        if (m_leaves.all.size() >= m_budget) {
            return fail(ErrorCode::LimitExceeded,
                        "The plain values contain too many shared references to be written")
                .butFound(sentence("more than %1 values", m_budget))
                .withHint("Write a .pt file, or only the tensors");
        }
        m_leaves.all.push_back(std::move(leaf));
        return {};
    }

    [[nodiscard]] std::string joined() const {
        std::string name;
        for (const PathPart& part : m_path) {
            name += name.empty() && &part == m_path.data() ? "" : ".";
            name += std::holds_alternative<std::string>(part)
                        ? std::get<std::string>(part)
                        : std::to_string(std::get<std::int64_t>(part));
        }
        return name;
    }

    /// Tensors inside an item (of a tuple or a set) are written with it.
    void markTensors(const Value& value) {
        if (!hasTensors(value) ||
            (value.isContainer() && !m_marked.insert(value.identity()).second)) {
            return;
        }
        if (const TensorIndex* reference = value.asTensor()) {
            if (const auto found = m_positions.find(reference->value); found != m_positions.end()) {
                m_mentioned[found->second] = true;
            }
        }
        for (const ValueItem& item : value.items()) {
            markTensors(item.value);
        }
    }

    bool isTerminal(const Value& list) {
        if (const auto known = m_terminal.find(list.identity()); known != m_terminal.end()) {
            return known->second;
        }
        const bool terminal = std::ranges::none_of(list.items(), [&](const ValueItem& item) {
            const Value& value = item.value;
            return value.kind() == ValueKind::Tensor || value.kind() == ValueKind::Dict ||
                   (value.kind() == ValueKind::List && !isTerminal(value)) ||
                   (value.kind() == ValueKind::Object && hasTensors(value));
        });
        m_terminal.emplace(list.identity(), terminal);
        return terminal;
    }

    bool hasTensors(const Value& value) {
        if (value.kind() == ValueKind::Tensor) {
            return true;
        }
        if (!value.isContainer()) {
            return false;
        }
        if (const auto known = m_holding.find(value.identity()); known != m_holding.end()) {
            return known->second;
        }
        bool holds = false;
        for (const ValueItem& item : value.items()) {
            holds = hasTensors(item.value) || holds;
        }
        m_holding.emplace(value.identity(), holds);
        return holds;
    }

    /// The tensor of an object with a class: the one with the object's name.
    std::optional<TensorIndex> ownTensor(const Value& object) const {
        const std::string name = joined();
        for (const ValueItem& item : object.items()) {
            const TensorIndex* reference = item.value.asTensor();
            const auto position =
                reference == nullptr ? m_positions.end() : m_positions.find(reference->value);
            if (position != m_positions.end() && m_request.tensors[position->second].name == name) {
                return *reference;
            }
        }
        return std::nullopt;
    }

    const LayoutRequest& m_request;
    std::vector<bool> m_mentioned;
    std::unordered_map<std::uint32_t, std::size_t>
        m_positions; ///< source index -> position in the request
    NameSet m_names;
    std::unordered_set<std::string> m_flat; ///< paths, joined with dots
    std::unordered_set<const void*> m_counted;
    std::unordered_set<const void*> m_marked;
    std::unordered_map<const void*, bool> m_holding;  ///< whether there are tensors below
    std::unordered_map<const void*, bool> m_terminal; ///< whether a list is stored as one entry
    std::uint64_t m_budget = 0;
    std::vector<PathPart> m_path;
    Leaves m_leaves;
};

} // namespace

Result<Leaves> flatten(const LayoutRequest& request) {
    return Flattener(request).run();
}

} // namespace cairn::formats::dcp

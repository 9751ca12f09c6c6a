// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/diff/diff_rows.h"

#include "core/model/tensor_columns.h"
#include "ui/models/tensor_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

namespace cairn::ui {
namespace {

constexpr std::size_t kStride = 4096; ///< nodes between two looks at the token

/// Ids beyond those of TensorProperty.
enum : std::size_t { kChange = 100, kMax, kShare, kKind };

std::string kindWord(std::string_view typed) {
    return std::string(typed == "identical" || typed == "equal" ? "same"
                       : typed == "different"                   ? "changed"
                                                                : typed);
}

Result<FilterColumn> findDiffColumn(std::string_view name) {
    static constexpr auto kOwn = std::to_array<std::pair<std::string_view, std::size_t>>(
        {{"change", kChange}, {"max", kMax}, {"changed", kShare}, {"kind", kKind}});
    for (const auto& [own, id] : kOwn) {
        if (name == own) {
            return FilterColumn{id, id == kKind ? kindWord : nullptr};
        }
    }
    auto found = findTensorProperty(name);
    if (!found) {
        return fail(ErrorCode::InvalidArgument, "Differences have no such column")
            .butFound(sentence("\"%1\"", name))
            .expecting("change, max, changed, kind, name, dtype, shape, size, elements or role");
    }
    return found;
}

double fraction(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

/// The values that a node is filtered and sorted by.
class Figures {
public:
    explicit Figures(const DiffDocument& document) : m_document(document) {}

    /// Nothing: not known, or not a number.
    std::optional<double> relative(const DiffNode& node) const {
        if (!node.pair) {
            const bool known = m_document.hasValues() && node.sums.tensors > node.sums.unread;
            return known ? std::optional(node.sums.relativeChange()) : std::nullopt;
        }
        const PairDiff* values = compared(node);
        return values != nullptr
                   ? std::optional(values->values.identical ? 0 : values->relativeChange())
                   : std::nullopt;
    }
    std::optional<double> maxAbs(const DiffNode& node) const {
        if (!node.pair) {
            const bool known = m_document.hasValues() && node.sums.tensors > node.sums.unread;
            return known ? std::optional(node.sums.values.maxAbs) : std::nullopt;
        }
        const PairDiff* values = compared(node);
        const bool known =
            values != nullptr && (values->values.identical || values->values.numeric);
        return known ? std::optional(values->values.identical ? 0 : values->values.maxAbs)
                     : std::nullopt;
    }
    std::optional<double> changed(const DiffNode& node) const {
        if (!node.pair) {
            const bool known = m_document.hasValues() && node.sums.tensors > 0;
            return known ? std::optional(fraction(node.sums.changed, node.sums.tensors))
                         : std::nullopt;
        }
        const PairDiff* values = compared(node);
        return values != nullptr
                   ? std::optional(values->values.identical
                                       ? 0
                                       : fraction(values->values.changed, values->values.count))
                   : std::nullopt;
    }
    const PairDiff* compared(const DiffNode& node) const {
        const PairDiff* values =
            node.pair && m_document.hasValues() ? &m_document.values[*node.pair] : nullptr;
        return values != nullptr && values->compared() ? values : nullptr;
    }

    /// The leaf's tensor of one side; null: that side has none. `name`: of a leaf without a pair.
    const TensorEntry* tensor(const DiffNode& leaf, std::string_view name, bool left) const {
        const Checkpoint& side = *(left ? m_document.left : m_document.right).checkpoint;
        if (leaf.pair) {
            const TensorPair& pair = m_document.structure.pairs[*leaf.pair];
            return &side.tensor(left ? pair.left : pair.right);
        }
        if ((left ? leaf.sums.onlyLeft : leaf.sums.onlyRight) == 0) {
            return nullptr;
        }
        const std::optional<TensorIndex> found = side.find(name);
        return found ? &side.tensor(*found) : nullptr;
    }

private:
    const DiffDocument& m_document;
};

/// Sorts the children of a node. The two numbers of a key count in this order; missing ones come
/// last in both directions.
class Sorter {
public:
    Sorter(const DiffDocument& document, RowSort sort)
        : m_document(document), m_figures(document), m_sort(sort) {}

    /// `prefix`: the full name of the node, with its dot.
    void sort(std::vector<std::uint32_t>& nodes, const std::string& prefix) const {
        if (m_sort.column < 0 || nodes.size() < 2) {
            return;
        }
        std::vector<Key> keys;
        keys.reserve(nodes.size());
        for (const std::uint32_t node : nodes) {
            keys.push_back(keyOf(node, prefix));
        }
        std::ranges::stable_sort(keys, [this](const Key& a, const Key& b) {
            if (a.empty != b.empty) {
                return b.empty;
            }
            const Key& first = m_sort.descending ? b : a;
            const Key& second = m_sort.descending ? a : b;
            return first.numbers != second.numbers ? first.numbers < second.numbers
                                                   : first.text < second.text;
        });
        std::ranges::transform(keys, nodes.begin(), &Key::node);
    }

private:
    struct Key {
        std::uint32_t node = 0;
        bool empty = false;
        std::array<double, 2> numbers{};
        std::string text;
    };

    Key keyOf(std::uint32_t number, const std::string& prefix) const {
        const DiffNode& node = m_document.tree.nodes[number];
        Key key;
        key.node = number;
        const auto take = [&key](std::optional<double> value) {
            key.empty = !value || std::isnan(*value);
            key.numbers[0] = key.empty ? 0 : *value;
        };
        switch (static_cast<DiffColumn>(m_sort.column)) {
        case DiffColumn::Name:
            key.text = naturalKey(node.name);
            break;
        case DiffColumn::Left:
        case DiffColumn::Right:
            takeTensor(key, node, prefix);
            break;
        case DiffColumn::Relative:
            take(m_figures.relative(node));
            break;
        case DiffColumn::MaxAbs:
            take(m_figures.maxAbs(node));
            break;
        case DiffColumn::Changed:
            take(m_figures.changed(node));
            break;
        }
        return key;
    }

    /// By dtype, then by elements; of a module the number of tensors that only this side has.
    void takeTensor(Key& key, const DiffNode& node, const std::string& prefix) const {
        const bool left = m_sort.column == static_cast<int>(DiffColumn::Left);
        if (!node.children.empty()) {
            const std::uint64_t only = left ? node.sums.onlyLeft : node.sums.onlyRight;
            key.empty = only == 0;
            key.numbers = {0, static_cast<double>(only)};
            return;
        }
        const TensorEntry* tensor = m_figures.tensor(node, prefix + node.name, left);
        key.empty = tensor == nullptr;
        if (tensor != nullptr) {
            const auto names = std::ranges::count_if(allDtypes(), [&](const DtypeInfo& info) {
                return info.name < dtypeName(tensor->dtype);
            });
            key.numbers = {1 + static_cast<double>(names), static_cast<double>(tensor->elements())};
        }
    }

    const DiffDocument& m_document;
    Figures m_figures;
    RowSort m_sort;
};

/// One visit of the tree, children before their parent. Uses an explicit stack, although the tree
/// is at most kMaxModuleDepth deep.
class Lister {
public:
    Lister(const DiffDocument& document, const DiffRows::Request& request, RowFilter filter,
           DiffRows& rows)
        : m_document(document), m_tree(document.tree), m_request(request),
          m_filter(std::move(filter)), m_figures(document), m_sorter(document, request.sort),
          m_rows(rows) {
        m_rows.children.resize(m_tree.nodes.size());
        m_rows.row.assign(m_tree.nodes.size(), -1);
        m_rows.differs.assign(m_tree.nodes.size(), 0);
        m_rows.equality = request.equality;
    }

    Result<void> run(const CancelToken& cancel) {
        struct Visit {
            std::uint32_t node = 0;
            std::size_t next = 0;
            std::size_t nameLength = 0; ///< of m_name before this node
        };
        std::vector<Visit> open{{}};
        std::size_t seen = 0;
        while (!open.empty()) {
            Visit& visit = open.back();
            const DiffNode& node = m_tree.nodes[visit.node];
            if (visit.next == 0 && visit.node != 0) {
                visit.nameLength = m_name.size();
                m_name += (m_name.empty() ? "" : ".") + node.name;
            }
            if (visit.next < node.children.size()) {
                open.push_back({node.children[visit.next++]});
                continue;
            }
            close(visit.node, node);
            if (visit.node != 0) {
                m_name.resize(visit.nameLength);
            }
            open.pop_back();
            if (++seen % kStride == 0) {
                CAIRN_CHECK(cancel.check());
            }
        }
        return {};
    }

private:
    void close(std::uint32_t index, const DiffNode& node) {
        std::vector<std::uint32_t>& listed = m_rows.children[index];
        for (const std::uint32_t child : node.children) {
            if (m_rows.row[child] == 0) { // marked for inclusion below
                listed.push_back(child);
            }
        }
        m_sorter.sort(listed, m_name.empty() ? m_name : m_name + ".");
        for (std::size_t row = 0; row < listed.size(); ++row) {
            m_rows.row[listed[row]] = static_cast<int>(row);
        }
        const bool leaf = node.children.empty();
        const bool different = leaf && differs(node);
        m_rows.differs[index] = different ? 1 : 0;
        m_rows.differing += different ? 1 : 0;
        const bool wanted = !listed.empty() || (leaf && (!m_request.onlyDifferent || different) &&
                                                takes(node, different));
        m_rows.row[index] = wanted ? 0 : -1;
        m_rows.tensors += leaf && wanted ? 1 : 0;
    }

    bool takes(const DiffNode& leaf, bool different) {
        if (m_filter.isEmpty()) {
            return true;
        }
        m_lower = m_name;
        std::ranges::transform(m_lower, m_lower.begin(), [](char c) {
            return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        });
        return m_filter.matches(m_lower,
                                [&](std::size_t column) { return cell(leaf, column, different); });
    }

    FilterCell cell(const DiffNode& leaf, std::size_t column, bool different) {
        switch (column) {
        case kChange:
            return {m_figures.relative(leaf), {}};
        case kMax:
            return {m_figures.maxAbs(leaf), {}};
        case kShare:
            return {m_figures.changed(leaf), {}};
        case kKind:
            return {{},
                    leaf.sums.onlyLeft > 0                ? "removed"
                    : leaf.sums.onlyRight > 0             ? "added"
                    : different                           ? "changed"
                    : m_figures.compared(leaf) == nullptr ? "unread"
                                                          : "same"};
        default: {
            const TensorEntry* tensor = m_figures.tensor(leaf, m_name, true);
            tensor = tensor != nullptr ? tensor : m_figures.tensor(leaf, m_name, false);
            return tensor != nullptr ? m_cells.of(*tensor, static_cast<TensorProperty>(column))
                                     : FilterCell{};
        }
        }
    }

    bool differs(const DiffNode& leaf) const {
        if (!leaf.pair || !m_document.hasValues()) {
            return leaf.sums.differs();
        }
        return !m_request.equality.holds(m_document.structure.pairs[*leaf.pair],
                                         m_document.values[*leaf.pair]);
    }

    const DiffDocument& m_document;
    const DiffTree& m_tree;
    const DiffRows::Request& m_request;
    RowFilter m_filter;
    Figures m_figures;
    Sorter m_sorter;
    TensorCells m_cells;
    DiffRows& m_rows;
    std::string m_name;
    std::string m_lower;
};

/// The listed tensors in the order of the rows.
std::vector<std::uint32_t> listedTensors(const DiffRows& rows) {
    std::vector<std::uint32_t> tensors;
    std::vector<std::uint32_t> open{0};
    while (!open.empty()) {
        const std::uint32_t node = open.back();
        open.pop_back();
        const std::vector<std::uint32_t>& children = rows.children[node];
        if (children.empty() && node != 0) {
            tensors.push_back(node);
        }
        open.insert(open.end(), children.rbegin(), children.rend());
    }
    return tensors;
}

void divide(DiffRows& rows) {
    const std::vector<std::uint32_t> tensors = listedTensors(rows);
    const std::size_t parts = std::min(tensors.size(), DiffRows::kMostParts);
    rows.parts.resize(parts);
    rows.partOf.assign(rows.row.size(), 0);
    const Figures figures(*rows.document);
    double most = 0;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const std::uint32_t node = tensors[i];
        const std::size_t place = i * parts / tensors.size();
        const bool differs = rows.differs[node] != 0;
        const double known =
            figures.relative(rows.document->tree.nodes[node]).value_or(0); // inf: from zero
        const double change = differs && !std::isnan(known) ? known : 0;
        most = std::isfinite(change) ? std::max(most, change) : most;
        DiffRows::Part& part = rows.parts[place];
        const bool isFirst = part.most == 0;
        if (isFirst || std::pair(differs, change) > std::pair(part.differs, part.change)) {
            part = {node, change, differs};
        }
        rows.partOf[node] = static_cast<std::uint32_t>(place);
    }
    for (DiffRows::Part& part : rows.parts) {
        part.change = std::isinf(part.change) ? 1 : most > 0 ? part.change / most : 0;
    }
}

void answerRows(DiffRows& rows) {
    const DiffDocument& document = *rows.document;
    const DiffSums& sums = document.tree.root().sums;
    const std::uint64_t differing =
        document.hasValues() ? rows.differing - sums.onlyLeft - sums.onlyRight - sums.unread
                             : sums.changed;
    rows.answer =
        diffAnswer(document.left, document.right, document.structure, document.values,
                   document.layers, differing, rows.equality.kind == Equality::Kind::Bits);
}

} // namespace

Result<DiffRowsPtr> DiffRows::make(DiffDocumentPtr document, const Request& request,
                                   const CancelToken& cancel) {
    CAIRN_TRY(RowFilter filter,
              RowFilter::parse(request.filter.trimmed().toUtf8().toStdString(), findDiffColumn));
    auto rows = std::make_shared<DiffRows>();
    rows->document = std::move(document);
    CAIRN_CHECK(Lister(*rows->document, request, std::move(filter), *rows).run(cancel));
    divide(*rows);
    answerRows(*rows);
    return DiffRowsPtr(std::move(rows));
}

} // namespace cairn::ui

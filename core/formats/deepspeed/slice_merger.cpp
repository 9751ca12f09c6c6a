// SPDX-License-Identifier: Apache-2.0
#include "core/formats/deepspeed/slice_merger.h"

#include "core/formats/common/members/folder_notices.h"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace cairn::formats::deepspeed {
namespace {

constexpr std::size_t kMaxRules = 1000;

struct List {
    std::string_view key;
    Cut cut;
};
constexpr auto kLists = std::to_array<List>({
    {"tp_replicated_parameter_patterns", Cut::Replicated},
    {"parameter_to_average_patterns", Cut::Unknown}, // the averages are not in the files
    {"parameter_with_2_sub_params_cat_dim_0", Cut::TwoRows},
    {"parameter_with_row_parallelism_patterns", Cut::Columns},
    {"expert_parameter_patterns", Cut::Unknown},
});
/// Kinds of cuts that are not supported: a save with these is not merged.
constexpr auto kOthers = std::to_array<std::string_view>(
    {"parameter_with_sub_params", "affine_map", "autotp_unsupported_parameter_patterns"});

std::uint64_t elementsOf(const Dims& extent) {
    return elementCount(extent).value_or(0);
}

/// The rows [from, to) of a piece, counted in its tensor; empty: it has none of them. False: it
/// cannot be cut there.
bool cutRows(const Piece& piece, std::int64_t from, std::int64_t to, Dtype dtype,
             std::optional<Piece>& out) {
    const std::int64_t begin = std::max(from, piece.box.origin[0]);
    const std::int64_t end = std::min(to, piece.box.origin[0] + piece.box.extent[0]);
    out.reset();
    if (begin >= end) {
        return true;
    }
    out = piece;
    if (end - begin == piece.box.extent[0]) {
        return true;
    }
    const auto row = dtypeBytes(dtype, elementsOf(piece.box.extent) /
                                           static_cast<std::uint64_t>(piece.box.extent[0]));
    if (piece.codec != kRawCodec || !piece.strides.empty() || !row || piece.flags.any()) {
        return false;
    }
    out->bytes.offset += static_cast<std::uint64_t>(begin - piece.box.origin[0]) * *row;
    out->bytes.length = static_cast<std::uint64_t>(end - begin) * *row;
    out->box.origin[0] = begin;
    out->box.extent[0] = end - begin;
    return true;
}

/// Joins the parts of all ranks to one tensor; empty: they do not match.
std::optional<TensorEntry> joined(const std::vector<const TensorEntry*>& parts, Cut cut) {
    TensorEntry whole = *parts.front();
    if (cut == Cut::Replicated) {
        const bool same = std::ranges::all_of(parts, [&](const TensorEntry* part) {
            return part->shape == whole.shape && part->dtype == whole.dtype;
        });
        return same ? std::optional(std::move(whole)) : std::nullopt;
    }
    const std::size_t along = cut == Cut::Columns ? 1 : 0;
    if (cut == Cut::Unknown || whole.shape.size() <= along) {
        return std::nullopt;
    }
    std::int64_t sum = 0;
    for (const TensorEntry* part : parts) {
        Shape other = part->shape;
        if (other.size() != whole.shape.size() || part->dtype != whole.dtype ||
            (cut == Cut::TwoRows && other[0] % 2 != 0) ||
            __builtin_add_overflow(sum, other[along], &sum)) {
            return std::nullopt;
        }
        other[along] = whole.shape[along];
        if (other != whole.shape) {
            return std::nullopt;
        }
    }
    whole.pieces.clear();
    whole.shape[along] = sum;
    if (!elementCount(whole.shape)) {
        return std::nullopt;
    }
    const int halves = cut == Cut::TwoRows ? 2 : 1;
    std::int64_t at = 0;
    for (int half = 0; half < halves; ++half) {
        for (const TensorEntry* part : parts) {
            const std::int64_t extent = part->shape[along] / halves;
            const std::int64_t first = half * extent;
            for (const Piece& piece : part->pieces) {
                std::optional<Piece> own = piece;
                if (halves > 1 && !cutRows(piece, first, first + extent, whole.dtype, own)) {
                    return std::nullopt;
                }
                if (own) {
                    own->box.origin[along] += at - first;
                    whole.pieces.push_back(std::move(*own));
                }
            }
            at += extent;
        }
    }
    return whole;
}

class Merger {
public:
    Merger(CheckpointData& data, const SliceRules& rules, std::span<const std::string> prefixes,
           const std::set<std::string, std::less<>>& parameters)
        : m_data(data), m_rules(rules), m_prefixes(prefixes), m_parameters(parameters) {}

    std::vector<TensorIndex> run() {
        findGroups();
        std::unordered_map<std::size_t, TensorEntry> wholes;  ///< by the first rank's position
        std::vector<std::size_t> into(m_data.tensors.size()); ///< new position for each old one
        for (std::size_t i = 0; i < into.size(); ++i) {
            into[i] = i;
        }
        for (const auto& [name, positions] : m_groups) {
            if (auto whole = merge(name, positions)) {
                wholes.emplace(positions.front(), std::move(*whole));
                for (const std::size_t position : positions) {
                    into[position] = positions.front();
                }
            }
        }
        return compact(into, wholes);
    }

private:
    void findGroups() {
        for (std::size_t i = 0; i < m_data.tensors.size(); ++i) {
            const std::string& name = m_data.tensors[i].name;
            m_taken.insert(name);
            for (std::size_t rank = 0; rank < m_prefixes.size(); ++rank) {
                if (name.starts_with(m_prefixes[rank]) && parameterOf(ownName(name, rank))) {
                    auto& group = m_groups[std::string(ownName(name, rank))];
                    if (group.size() ==
                        rank) { // a tensor that an earlier rank lacks stays incomplete
                        group.push_back(i);
                    }
                    break;
                }
            }
        }
    }

    [[nodiscard]] std::string_view ownName(std::string_view name, std::size_t rank) const {
        return name.substr(m_prefixes[rank].size());
    }

    /// "w" for "w", "module.w" and "w.exp_avg".
    [[nodiscard]] std::optional<std::string_view> parameterOf(std::string_view name) const {
        const std::string_view inner =
            name.starts_with(kModule) ? name.substr(kModule.size()) : name;
        for (const std::string_view each : {name, inner, name.substr(0, name.rfind('.'))}) {
            if (m_parameters.contains(each)) {
                return each;
            }
        }
        return std::nullopt;
    }

    std::optional<TensorEntry> merge(const std::string& name,
                                     const std::vector<std::size_t>& positions) {
        std::vector<const TensorEntry*> parts;
        for (const std::size_t position : positions) {
            parts.push_back(&m_data.tensors[position]);
        }
        const Cut cut = m_rules.cutOf(parameterOf(name).value_or(name));
        auto whole = parts.size() == m_prefixes.size() && !m_taken.contains(name)
                         ? joined(parts, cut)
                         : std::nullopt;
        if (!whole) {
            note(name);
            return std::nullopt;
        }
        whole->name = name;
        return whole;
    }

    void note(const std::string& name) {
        if (m_left++ == 0) {
            m_firstLeft = name;
        }
    }

    std::vector<TensorIndex> compact(const std::vector<std::size_t>& into,
                                     std::unordered_map<std::size_t, TensorEntry>& wholes) {
        std::vector<TensorIndex> moved(into.size());
        std::vector<TensorEntry> kept;
        for (std::size_t i = 0; i < into.size(); ++i) {
            if (into[i] == i) {
                const auto whole = wholes.find(i);
                kept.push_back(whole == wholes.end() ? std::move(m_data.tensors[i])
                                                     : std::move(whole->second));
                moved[i] = TensorIndex(kept.size() - 1);
            }
        }
        for (std::size_t i = 0; i < into.size(); ++i) {
            moved[i] = moved[into[i]];
        }
        for (TensorEntry& tensor : kept) {
            if (tensor
                    .aliasOf) { // a part that was not merged cannot be an alias of a merged tensor
                const TensorIndex target = moved[tensor.aliasOf->position()];
                tensor.aliasOf = kept[target.position()].shape == tensor.shape
                                     ? std::optional(target)
                                     : std::nullopt;
            }
        }
        m_data.tensors = std::move(kept);
        if (m_left > 0) {
            addNotice(m_data, Severity::Warning,
                      fail(ErrorCode::ShardsNotJoined,
                           "Tensor-parallel slices are shown per rank: how "
                           "they were split is unknown, or they do not match")
                          .inTensor(m_firstLeft)
                          .butFound(sentence("%1 tensors", m_left)));
        }
        return moved;
    }

    CheckpointData& m_data;
    const SliceRules& m_rules;
    std::span<const std::string> m_prefixes;
    const std::set<std::string, std::less<>>& m_parameters;
    std::map<std::string, std::vector<std::size_t>> m_groups; ///< by name: positions in rank order
    std::unordered_set<std::string> m_taken;
    std::size_t m_left = 0;
    std::string m_firstLeft;
};

} // namespace

std::optional<SliceRules> SliceRules::read(const Value& info) {
    for (const std::string_view other : kOthers) {
        const Value* found = info.find(other);
        if (found != nullptr && !found->items().empty()) {
            return std::nullopt;
        }
    }
    SliceRules rules;
    bool any = false;
    for (const List& list : kLists) {
        const Value* patterns = info.find(list.key);
        any = any || patterns != nullptr;
        if (patterns == nullptr) {
            continue;
        }
        for (const ValueItem& item : patterns->items()) {
            const std::string* text = item.value.asString();
            auto pattern = text == nullptr ? std::nullopt : NamePattern::parse(*text);
            if (!pattern || rules.m_rules.size() >= kMaxRules) {
                return std::nullopt;
            }
            rules.m_rules.push_back({std::move(*pattern), list.cut});
        }
    }
    return any ? std::optional(std::move(rules)) : std::nullopt;
}

Cut SliceRules::cutOf(std::string_view parameter) const {
    const auto rule = std::ranges::find_if(
        m_rules, [&](const Rule& each) { return each.pattern.matches(parameter); });
    return rule == m_rules.end() ? Cut::Rows : rule->cut;
}

std::vector<TensorIndex> mergeSlices(CheckpointData& data, const SliceRules& rules,
                                     std::span<const std::string> prefixes,
                                     const std::set<std::string, std::less<>>& parameters) {
    return Merger(data, rules, prefixes, parameters).run();
}

} // namespace cairn::formats::deepspeed

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

constexpr std::size_t kMaxRules = 1000; ///< with wildcards: each is compared with each name
constexpr std::size_t kMaxNames = 1'000'000;

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
    for (int turn = 0; turn < halves; ++turn) {
        for (const TensorEntry* part : parts) {
            const std::int64_t extent = part->shape[along] / halves;
            const std::int64_t first = turn * extent;
            for (const Piece& piece : part->pieces) {
                std::optional<Piece> own = piece;
                Box half = Box::whole(part->shape);
                half.origin[0] = first;
                half.extent[0] = halves > 1 ? extent : half.extent[0];
                if (halves > 1 && !cutPiece(piece, half, whole.dtype, own)) {
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
        const std::string_view parameter = parameterOf(name).value_or(name);
        const AffineMap* map = m_rules.mapOf(parameter);
        std::optional<TensorEntry> whole;
        if (parts.size() == m_prefixes.size() && !m_taken.contains(name)) {
            whole =
                map != nullptr ? joinByMap(parts, *map) : joined(parts, m_rules.cutOf(parameter));
        }
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

bool SliceRules::add(const Value& pattern, Cut cut) {
    const std::string* text = pattern.asString();
    auto parsed = text == nullptr ? std::nullopt : NamePattern::parse(*text);
    if (!parsed) {
        return false;
    }
    if (auto name = parsed->onlyName()) {
        m_names.try_emplace(std::move(*name), cut);
        return m_names.size() <= kMaxNames;
    }
    m_rules.push_back({std::move(*parsed), cut});
    return m_rules.size() <= kMaxRules;
}

/// AutoTP records for each parameter where its elements are. A parameter whose map is not supported
/// is not merged; one without a map is cut as the patterns say.
bool SliceRules::addMaps(const Value& maps, std::size_t ranks) {
    const Value* version = maps.find("version");
    const Value* parameters = maps.find("params");
    if (version == nullptr || version->asInt() == nullptr ||
        *version->asInt() > kAffineMapVersion || parameters == nullptr) {
        return false;
    }
    for (const ValueItem& item : parameters->items()) {
        auto pattern = NamePattern::parse(keyText(item.key));
        auto name = pattern ? pattern->onlyName() : std::nullopt;
        if (!name || m_maps.size() >= kMaxNames) {
            return false;
        }
        if (auto map = readAffineMap(item.value, ranks)) {
            m_maps.try_emplace(std::move(*name), std::move(*map));
        } else {
            m_names.insert_or_assign(std::move(*name), Cut::Unknown);
        }
    }
    return true;
}

std::optional<SliceRules> SliceRules::read(const Value& info, std::size_t ranks) {
    SliceRules rules;
    if (const Value* maps = info.find("affine_map");
        maps != nullptr && !maps->items().empty() && !rules.addMaps(*maps, ranks)) {
        return std::nullopt;
    }
    if (const Value* parts = info.find("parameter_with_sub_params")) {
        for (const ValueItem& item : parts->items()) {
            const Value* patterns = item.value.find("patterns");
            for (const ValueItem& each :
                 patterns == nullptr ? std::span<const ValueItem>() : patterns->items()) {
                if (!rules.add(each.value, Cut::Unknown)) {
                    return std::nullopt;
                }
            }
            if (patterns == nullptr) {
                return std::nullopt;
            }
        }
    }
    if (const Value* parts = info.find("autotp_unsupported_parameter_patterns")) {
        for (const ValueItem& item : parts->items()) {
            const bool reasons = item.key.asString() != nullptr; // by pattern
            if (!rules.add(reasons ? item.key : item.value, Cut::Unknown)) {
                return std::nullopt;
            }
        }
    }
    bool any = false;
    for (const List& list : kLists) {
        const Value* patterns = info.find(list.key);
        any = any || patterns != nullptr;
        for (const ValueItem& item :
             patterns == nullptr ? std::span<const ValueItem>() : patterns->items()) {
            if (!rules.add(item.value, list.cut)) {
                return std::nullopt;
            }
        }
    }
    return any ? std::optional(std::move(rules)) : std::nullopt;
}

Cut SliceRules::cutOf(std::string_view parameter) const {
    if (const auto named = m_names.find(parameter); named != m_names.end()) {
        return named->second;
    }
    const auto rule = std::ranges::find_if(
        m_rules, [&](const Rule& each) { return each.pattern.matches(parameter); });
    return rule == m_rules.end() ? Cut::Rows : rule->cut;
}

const AffineMap* SliceRules::mapOf(std::string_view parameter) const {
    const auto found = m_maps.find(parameter);
    return found == m_maps.end() ? nullptr : &found->second;
}

std::vector<TensorIndex> mergeSlices(CheckpointData& data, const SliceRules& rules,
                                     std::span<const std::string> prefixes,
                                     const std::set<std::string, std::less<>>& parameters) {
    return Merger(data, rules, prefixes, parameters).run();
}

} // namespace cairn::formats::deepspeed

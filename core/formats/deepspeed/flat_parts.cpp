// SPDX-License-Identifier: Apache-2.0
#include "core/formats/deepspeed/flat_parts.h"

#include "core/formats/common/members/flat_range.h"
#include "core/formats/common/members/folder_notices.h"

#include <algorithm>
#include <set>

namespace cairn::formats::deepspeed {
namespace {

/// Elements [first, first + count) of one rank's part of a group correspond to elements [target, …)
/// of a parameter.
struct Slice {
    const FlatPart* part = nullptr;
    std::uint64_t first = 0;
    std::uint64_t count = 0;
    std::uint64_t target = 0;
};

/// The flat vector of an optimizer state, or of the master if `state` is null.
const TensorEntry* flatOf(const FlatPart& part, const std::string* state) {
    if (state == nullptr) {
        return part.master;
    }
    const auto found =
        std::ranges::find(part.states, *state, &std::pair<std::string, const TensorEntry*>::first);
    return found == part.states.end() ? nullptr : found->second;
}

std::uint64_t lengthOf(const FlatPart& part) {
    return part.master == nullptr ? 0 : part.master->elements();
}

class Joiner {
public:
    explicit Joiner(CheckpointData& data) : m_cutter(data), m_data(data) {}

    Logical join(const Parameter& parameter, const std::vector<Slice>& slices) {
        Logical logical;
        logical.name = parameter.name;
        logical.master = entry(parameter.name, parameter.shape, Role::Weight, slices, nullptr);
        for (const std::string& state : statesOf(slices)) {
            logical.states.push_back(entry(parameter.name + "." + state, parameter.shape,
                                           Role::Optimizer, slices, &state));
        }
        return logical;
    }

private:
    static std::vector<std::string> statesOf(const std::vector<Slice>& slices) {
        std::vector<std::string> names;
        for (const Slice& slice : slices) {
            for (const auto& [name, tensor] : slice.part->states) {
                if (std::ranges::find(names, name) == names.end()) {
                    names.push_back(name);
                }
            }
        }
        return names;
    }

    TensorEntry entry(std::string name, const Shape& shape, Role role,
                      const std::vector<Slice>& slices, const std::string* state) {
        TensorEntry tensor{std::move(name), Dtype::Float32, shape, role, {}, {}};
        bool first = true;
        for (const Slice& slice : slices) {
            const TensorEntry* flat = flatOf(*slice.part, state);
            if (flat == nullptr) {
                continue; // leaves a hole, which is reported once for the rank
            }
            if (first) {
                tensor.dtype = flat->dtype;
                first = false;
            }
            if (auto cut = m_cutter.cut(*flat, {slice.first, slice.count}, tensor, slice.target);
                !cut) {
                addDamage(m_data, std::move(cut).error());
                break;
            }
        }
        return tensor;
    }

    FlatCutter m_cutter;
    CheckpointData& m_data;
};

std::string fileOf(const FlatRanks& ranks, std::uint64_t rank) {
    const auto found = ranks.files.find(rank);
    return found == ranks.files.end() ? std::string() : found->second;
}

/// Position of each rank's part in a group's vector.
struct Span {
    const FlatPart* part = nullptr;
    std::uint64_t begin = 0;
    std::uint64_t length = 0;
};

std::vector<Span> spansOf(const FlatRanks& ranks, std::size_t group) {
    std::uint64_t usual = 0; // assumed length of a missing rank's part
    for (const auto& [rank, parts] : ranks.parts) {
        usual = std::max(usual, group < parts.size() ? lengthOf(parts[group]) : 0);
    }
    std::vector<Span> spans;
    std::uint64_t begin = 0;
    std::uint64_t next = 0;
    for (const auto& [rank, parts] : ranks.parts) {
        if (rank >= ranks.worldSize) {
            break;
        }
        const auto gap = checkedMul(usual, rank - next);
        const auto here = gap ? checkedAdd(begin, *gap) : std::nullopt;
        const std::uint64_t length = group < parts.size() ? lengthOf(parts[group]) : usual;
        const auto end = here ? checkedAdd(*here, length) : std::nullopt;
        if (!end) {
            break;
        }
        if (group < parts.size()) {
            spans.push_back({&parts[group], *here, length});
        }
        begin = *end;
        next = rank + 1;
    }
    return spans;
}

std::uint64_t roundedUp(std::uint64_t value, std::uint64_t step) {
    return (value + step - 1) / step * step;
}

/// Checks a group's length: the vector may exceed the parameters by two paddings of up to 2 * world
/// size.
void checkGroupLength(CheckpointData& data, std::size_t group, std::uint64_t used,
                      const FlatRanks& ranks, const std::vector<Span>& spans) {
    if (ranks.parts.size() != ranks.worldSize || spans.empty()) {
        return;
    }
    const std::uint64_t there = spans.back().begin + spans.back().length;
    const std::uint64_t align = 2 * ranks.worldSize;
    if (roundedUp(used, align) != roundedUp(there, align)) {
        addDamage(data, fail(ErrorCode::BadIndex,
                             "The flat weights' length does not match the sum of their parameters")
                            .inFile(fileOf(ranks, ranks.worldSize - 1))
                            .inField("group " + std::to_string(group))
                            .butFound(sentence("%1 elements in the files of all ranks", there))
                            .expecting(sentence("%1 elements", used))
                            .withHint("The files are from different saves"));
    }
}

} // namespace

std::vector<Logical> joinGroups(CheckpointData& data,
                                const std::vector<std::vector<Parameter>>& groups,
                                const FlatRanks& ranks) {
    Joiner joiner(data);
    std::vector<Logical> joined;
    for (std::size_t group = 0; group < groups.size(); ++group) {
        const std::vector<Span> spans = spansOf(ranks, group);
        std::uint64_t begin = 0;
        auto span = spans.begin();
        for (const Parameter& parameter : groups[group]) {
            const auto end = checkedAdd(begin, parameter.elements);
            const auto next = end ? checkedAdd(*end, parameter.padding) : std::nullopt;
            if (!next) {
                break;
            }
            while (span != spans.end() && span->begin + span->length <= begin) {
                ++span;
            }
            std::vector<Slice> slices;
            for (auto each = span; each != spans.end() && each->begin < *end; ++each) {
                const std::uint64_t from = std::max(begin, each->begin);
                const std::uint64_t to = std::min(*end, each->begin + each->length);
                if (from < to) {
                    slices.push_back({each->part, from - each->begin, to - from, from - begin});
                }
            }
            joined.push_back(joiner.join(parameter, slices));
            begin = *next;
        }
        checkGroupLength(data, group, begin, ranks, spans);
    }
    return joined;
}

namespace {

/// Walks one rank's parts of all parameters, in order, across its sub-groups.
class PartWalk {
public:
    explicit PartWalk(const std::vector<FlatPart>& parts) : m_parts(parts) {
        for (const FlatPart& part : parts) {
            m_length += lengthOf(part);
        }
    }

    /// Moves over the next `padded` elements, of which the first `wanted` are elements [target, …)
    /// of a parameter.
    void take(std::uint64_t padded, std::uint64_t wanted, std::uint64_t target,
              std::vector<Slice>& slices) {
        while (padded > 0 && m_group < m_parts.size()) {
            const std::uint64_t rest = lengthOf(m_parts[m_group]) - m_at;
            const std::uint64_t here = std::min(padded, rest);
            const std::uint64_t used = std::min(here, wanted);
            if (used > 0) {
                slices.push_back({&m_parts[m_group], m_at, used, target});
            }
            target += used;
            wanted -= used;
            padded -= here;
            m_at += here;
            if (m_at == lengthOf(m_parts[m_group])) {
                ++m_group;
                m_at = 0;
            }
        }
    }
    [[nodiscard]] std::uint64_t length() const { return m_length; }

private:
    const std::vector<FlatPart>& m_parts;
    std::size_t m_group = 0;
    std::uint64_t m_at = 0;
    std::uint64_t m_length = 0;
};

void checkRankLengths(CheckpointData& data, const FlatRanks& ranks,
                      const std::map<std::uint64_t, PartWalk>& walks, std::uint64_t used) {
    for (const auto& [rank, walk] : walks) {
        if (walk.length() != used) {
            addDamage(data, fail(ErrorCode::BadIndex, "The length of a rank's flat weights does "
                                                      "not match its parts of the parameters")
                                .inFile(fileOf(ranks, rank))
                                .inField("rank " + std::to_string(rank))
                                .butFound(sentence("%1 elements", walk.length()))
                                .expecting(sentence("%1 elements", used))
                                .withHint("The files are from different saves"));
        }
    }
}

} // namespace

std::vector<Logical> joinPartitioned(CheckpointData& data,
                                     const std::vector<std::vector<Parameter>>& groups,
                                     const FlatRanks& ranks) {
    Joiner joiner(data);
    std::map<std::uint64_t, PartWalk> walks;
    for (const auto& [rank, parts] : ranks.parts) {
        if (rank < ranks.worldSize) {
            walks.emplace(rank, PartWalk(parts));
        }
    }
    std::vector<Logical> joined;
    std::uint64_t used = 0;
    std::vector<Slice> slices;
    for (const auto& group : groups) {
        for (const Parameter& parameter : group) {
            const std::uint64_t part =
                roundedUp(parameter.elements, ranks.worldSize) / ranks.worldSize;
            slices.clear();
            for (auto& [rank, walk] : walks) {
                const std::uint64_t begin = std::min(rank * part, parameter.elements);
                walk.take(part, std::min(part, parameter.elements - begin), begin, slices);
            }
            joined.push_back(joiner.join(parameter, slices));
            used += part;
        }
    }
    checkRankLengths(data, ranks, walks, used);
    return joined;
}

TensorEntry joinFragments(CheckpointData& data, const Parameter& parameter, std::uint64_t worldSize,
                          const std::map<std::uint64_t, const TensorEntry*>& parts) {
    TensorEntry tensor{parameter.name, Dtype::Float32, parameter.shape, Role::Weight, {}, {}};
    FlatCutter cutter(data);
    const std::uint64_t part = roundedUp(parameter.elements, worldSize) / worldSize;
    bool first = true;
    for (const auto& [rank, fragment] : parts) {
        const std::uint64_t begin = std::min(rank * part, parameter.elements);
        const std::uint64_t count = std::min(part, parameter.elements - begin);
        if (count == 0) {
            break;
        }
        tensor.dtype = first ? fragment->dtype : tensor.dtype;
        first = false;
        if (auto cut = cutter.cut(*fragment, {0, count}, tensor, begin); !cut) {
            addDamage(data, std::move(cut).error());
            break;
        }
    }
    return tensor;
}

} // namespace cairn::formats::deepspeed

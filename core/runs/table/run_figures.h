// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Aggregates of the values of several runs, rounded as NumPy rounds them: mean (pairwise sum), std
/// with ddof=1, quantiles by linear interpolation. Pure; any thread.
namespace cairn {

enum class Aggregate : std::uint8_t { Mean, Std, Sem, Min, Max, Median, Q25, Q75 };
inline constexpr std::size_t kAggregates = 8;
/// "mean", "std", "sem", "min", "max", "median", "q25", "q75".
std::string_view aggregateName(Aggregate aggregate);
std::optional<Aggregate> aggregateNamed(std::string_view name);

/// Which aggregates are wanted.
class AggregateSet {
public:
    constexpr AggregateSet() = default;
    constexpr AggregateSet(std::initializer_list<Aggregate> wanted) {
        for (const Aggregate each : wanted) {
            add(each);
        }
    }
    static constexpr AggregateSet all() {
        AggregateSet set;
        set.m_bits = (1U << kAggregates) - 1U;
        return set;
    }
    constexpr void add(Aggregate each) { m_bits |= 1U << static_cast<unsigned>(each); }
    [[nodiscard]] constexpr bool has(Aggregate each) const {
        return (m_bits >> static_cast<unsigned>(each) & 1U) != 0;
    }
    [[nodiscard]] constexpr bool isEmpty() const { return m_bits == 0; }

private:
    unsigned m_bits = 0;
};

/// Aggregates of the values that are not NaN; infinities are values. Without values every aggregate
/// is NaN; with one, std and sem are.
struct Figures {
    std::uint32_t n = 0;                      ///< values
    std::uint32_t nan = 0;                    ///< NaN: no value, counted apart
    std::array<double, kAggregates> values{}; ///< NaN if not wanted
    [[nodiscard]] double of(Aggregate each) const { return values[static_cast<std::size_t>(each)]; }
};
Figures figuresOf(std::span<const double> values, AggregateSet wanted = AggregateSet::all());

/// The same without memory of its own, for loops over millions of positions. `values` must not
/// contain NaN and may be sorted; `scratch` grows to its size.
Figures figuresInPlace(std::span<double> values, AggregateSet wanted, std::vector<double>& scratch);

} // namespace cairn

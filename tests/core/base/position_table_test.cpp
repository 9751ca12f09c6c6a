// SPDX-License-Identifier: Apache-2.0
#include "core/base/position_table.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace cairn {
namespace {

/// Names in a list, found through a table that starts empty.
class Names {
public:
    std::uint32_t add(const std::string& name, std::uint64_t hash) {
        const auto fresh = static_cast<std::uint32_t>(m_names.size());
        const std::uint32_t at =
            m_table.add(hash, fresh, [&](std::uint32_t i) { return m_names[i] == name; });
        if (at == fresh) {
            m_names.push_back(name);
        }
        return at;
    }
    std::optional<std::uint32_t> find(const std::string& name, std::uint64_t hash) const {
        return m_table.find(hash, [&](std::uint32_t i) { return m_names[i] == name; });
    }

private:
    std::vector<std::string> m_names;
    PositionTable m_table;
};

TEST(PositionTable, FindsWhatWasAddedAfterItGrew) {
    Names names;
    for (std::uint32_t i = 0; i < 10'000; ++i) {
        const std::string name = "layers." + std::to_string(i);
        ASSERT_EQ(names.add(name, hashOf(name)), i);
    }
    for (std::uint32_t i = 0; i < 10'000; ++i) {
        const std::string name = "layers." + std::to_string(i);
        ASSERT_EQ(names.find(name, hashOf(name)), i);
        ASSERT_EQ(names.add(name, hashOf(name)), i); // the first entry is kept
    }
    EXPECT_EQ(names.find("layers.10000", hashOf("layers.10000")), std::nullopt);
}

TEST(PositionTable, OneHashForManyNamesIsSlowButRight) {
    Names names;
    for (std::uint32_t i = 0; i < 100; ++i) {
        ASSERT_EQ(names.add(std::to_string(i), 7), i);
    }
    EXPECT_EQ(names.find("42", 7), 42U);
    EXPECT_EQ(names.find("100", 7), std::nullopt);
    EXPECT_EQ(names.find("42", 8), std::nullopt); // only entries with this hash are compared
}

} // namespace
} // namespace cairn

// SPDX-License-Identifier: Apache-2.0
#include "core/base/number.h"
#include "core/base/quantity.h"
#include "core/base/row_filter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {
namespace {

struct Row {
    std::string name;
    std::map<std::string, FilterCell> cells;
};

const std::vector<std::string> kColumns{"size", "dtype", "shape", "lr", "optimizer", "seed"};

std::string fullDtype(std::string_view value) {
    return value == "bf16" ? "bfloat16" : std::string(value);
}

Result<FilterColumn> findColumn(std::string_view name) {
    const auto found = std::ranges::find(kColumns, name);
    if (found == kColumns.end()) {
        return fail(ErrorCode::InvalidArgument, "No such column")
            .butFound(verbatim(std::string(name)));
    }
    return FilterColumn{static_cast<std::size_t>(found - kColumns.begin()),
                        name == "dtype" ? fullDtype : nullptr};
}

bool takes(std::string_view filter, const Row& row) {
    const auto parsed = RowFilter::parse(filter, findColumn);
    EXPECT_TRUE(parsed) << filter << ": " << (parsed ? "" : describe(parsed.error()));
    return parsed && parsed->matches(row.name, [&row](std::size_t column) {
        const auto cell = row.cells.find(kColumns[column]);
        return cell != row.cells.end() ? cell->second : FilterCell{};
    });
}

std::string errorOf(std::string_view filter) {
    const auto parsed = RowFilter::parse(filter, findColumn);
    return parsed ? "" : describe(parsed.error());
}

const Row kTensor{
    "model.layers.0.q_proj.weight",
    {{"size", {2e8, ""}}, {"dtype", {{}, "bfloat16"}}, {"shape", {{}, "[4096, 1024]"}}}};
const Row kRun{"sweep/a",
               {{"lr", {3e-4, "0.0003"}}, {"optimizer", {{}, "AdamW"}}, {"seed", {2, "2"}}}};

TEST(RowFilter, WordsAreSearchedInTheName) {
    EXPECT_TRUE(takes("", kTensor));
    EXPECT_TRUE(takes("  ", kTensor));
    EXPECT_TRUE(takes("Q_PROJ", kTensor));
    EXPECT_TRUE(takes("layers weight", kTensor));
    EXPECT_FALSE(takes("layers bias", kTensor));
    EXPECT_TRUE(takes("layers -bias", kTensor));
    EXPECT_FALSE(takes("-weight", kTensor));
    EXPECT_TRUE(takes("q_*.weight", kTensor));
    EXPECT_FALSE(takes("roj.weigh?", kTensor)); // a glob begins at a part
    EXPECT_TRUE(takes("bias or weight", kTensor));
    EXPECT_FALSE(takes("\"and\"", kTensor)); // quoted: a word like any other
    EXPECT_TRUE(takes("{q,k}_proj.*", kTensor));
    EXPECT_FALSE(takes("{q", kTensor)); // an unclosed brace is literal
}

TEST(RowFilter, ConditionsCompareCells) {
    EXPECT_TRUE(takes("size > 100MB", kTensor));
    EXPECT_TRUE(takes("size>100MB", kTensor));
    EXPECT_TRUE(takes("size > 100 MB attn or weight", kTensor));
    EXPECT_FALSE(takes("size > 1 GB", kTensor));
    EXPECT_TRUE(takes("size <= 200000000", kTensor));
    EXPECT_TRUE(takes("dtype == bf16", kTensor));
    EXPECT_TRUE(takes("dtype:bf16", kTensor));
    EXPECT_TRUE(takes("dtype:float32,bf16", kTensor));
    EXPECT_FALSE(takes("dtype != BF16", kTensor));
    EXPECT_TRUE(takes("shape ~ 4096", kTensor));
    EXPECT_TRUE(takes("shape == [4096, 1024]", kTensor));
    EXPECT_FALSE(takes("shape !~ 4096", kTensor));
    EXPECT_TRUE(takes("shape ~ [4096*", kTensor));
}

TEST(RowFilter, IntegersAreComparedExactly) {
    const auto row = [](auto whole) {
        const Number number = Number(whole);
        return Row{"run", {{"seed", {number.nearest, {}, number.rest}}}};
    };
    const std::vector<std::int64_t> near{(std::int64_t{1} << 53) - 1, std::int64_t{1} << 53,
                                         (std::int64_t{1} << 53) + 1, INT64_MAX - 1, INT64_MAX};
    for (const std::int64_t whole : near) {
        for (const std::int64_t typed : near) {
            for (const std::int64_t sign : {-1, 1}) {
                const std::string value = std::to_string(sign * typed);
                const Row own = row(sign * whole);
                EXPECT_EQ(takes("seed == " + value, own), whole == typed) << value;
                EXPECT_EQ(takes("seed < " + value, own), sign * whole < sign * typed) << value;
                EXPECT_EQ(takes("seed >= " + value, own), sign * whole >= sign * typed) << value;
                EXPECT_EQ(takes("seed in [1, " + value + "]", own), whole == typed) << value;
            }
        }
        EXPECT_TRUE(takes("seed:" + std::to_string(whole), row(whole)));
    }
    EXPECT_TRUE(takes("seed == 18446744073709551615", row(UINT64_MAX)));
    EXPECT_FALSE(takes("seed == 18446744073709551614", row(UINT64_MAX)));
    const Row wide{"run", {{"seed", {1e30, "1000000000000000000000000000001"}}}};
    EXPECT_TRUE(takes("seed == 1000000000000000000000000000001", wide));
    EXPECT_TRUE(takes("seed > 1000000000000000000000000000000", wide));
    EXPECT_FALSE(takes("seed <= 1000000000000000000000000000000", wide));
}

TEST(RowFilter, NumbersKeepWhatRoundingTakes) {
    for (const std::int64_t whole : {INT64_MIN, INT64_MIN + 1, std::int64_t{-9007199254740993},
                                     std::int64_t{9007199254740993}, INT64_MAX}) {
        EXPECT_EQ(Number(whole).digits(), std::to_string(whole));
        EXPECT_EQ(wholeNumberOfText(std::to_string(whole)), Number(whole));
    }
    EXPECT_EQ(Number(UINT64_MAX).digits(), "18446744073709551615");
    EXPECT_EQ(restOfText("9007199254740993.0"), 0);
    EXPECT_FALSE(wholeNumberOfText("18446744073709551616"));
    EXPECT_FALSE(wholeNumberOfText("+-5"));
    EXPECT_LT(Number(std::int64_t{9007199254740992}), Number(std::int64_t{9007199254740993}));
    EXPECT_LT(Number(std::int64_t{9007199254740993}), Number{9007199254740994.0});
    EXPECT_EQ(Number(std::int64_t{9007199254740993}).text(), "9007199254740993");
    EXPECT_EQ(Number(UINT64_MAX).text(), "18446744073709551615");
    EXPECT_EQ(Number(2500.5).text(), "2500.5");
    EXPECT_EQ(Number(1e300).text(), "1e+300");
}

TEST(RowFilter, NumbersAreAddedExactly) {
    const std::vector<std::int64_t> wholes{0,
                                           1,
                                           -7,
                                           9007199254740991,
                                           9007199254740993,
                                           -9007199254740993,
                                           4611686018427387905,
                                           INT64_MAX - 3000,
                                           INT64_MIN + 3000};
    for (const std::int64_t whole : wholes) {
        EXPECT_EQ(Number(whole).asInt(), whole);
        EXPECT_TRUE(Number(whole).isInteger());
        for (const int more : {-2049, -1025, -1, 0, 1, 2, 511, 1023, 2999}) {
            const Number sum = Number(whole) + more;
            EXPECT_EQ(sum, Number(whole + more)) << whole << " + " << more;
            EXPECT_EQ(sum - Number(whole), more) << whole << " + " << more;
            EXPECT_EQ(Number(whole) - -more, sum);
        }
    }
    EXPECT_EQ(Number(UINT64_MAX - 5) + 5.0, Number(UINT64_MAX));
    EXPECT_EQ(Number(3) + 0.5, Number(3.5));
    EXPECT_FALSE(Number(0.5).isInteger());
    EXPECT_FALSE(Number(18446744073709551616.0).isInteger());
    EXPECT_TRUE(Number(UINT64_MAX).isInteger());
    EXPECT_FALSE(Number(UINT64_MAX).asInt());
    EXPECT_TRUE((Number(std::numeric_limits<double>::quiet_NaN()) + 1).isNothing());
}

TEST(RowFilter, AndOrNotAndParentheses) {
    EXPECT_TRUE(takes("lr < 1e-3 and optimizer == adamw", kRun));
    EXPECT_TRUE(takes("lr = 3e-4", kRun));
    EXPECT_FALSE(takes("lr < 1e-3 and not optimizer == adamw", kRun));
    EXPECT_TRUE(takes("(lr > 1 or seed == 2) and sweep", kRun));
    EXPECT_TRUE(takes("lr > 1 and seed == 1 or sweep", kRun)); // and binds stronger
    EXPECT_FALSE(takes("lr > 1 and (seed == 1 or sweep)", kRun));
    EXPECT_TRUE(takes("not (lr > 1)", kRun));
    EXPECT_TRUE(takes("optimizer ~ ADAM && seed >= 2", kRun));
}

TEST(RowFilter, AMissingCellMatchesNoCondition) {
    EXPECT_FALSE(takes("size > 0", kRun));
    EXPECT_FALSE(takes("size != 0", kRun));
    EXPECT_FALSE(takes("size !~ 0", kRun));
    EXPECT_TRUE(takes("not size != 0", kRun));
    const Row nan{"a", {{"lr", {std::numeric_limits<double>::quiet_NaN(), "nan"}}}};
    EXPECT_FALSE(takes("lr < 1", nan));
    EXPECT_FALSE(takes("lr == 1", nan));
    EXPECT_TRUE(takes("lr == nan", nan));
}

TEST(RowFilter, ErrorsNameThePlace) {
    EXPECT_NE(errorOf("sise > 3").find("sise"), std::string::npos);
    EXPECT_NE(errorOf("size > many").find("\"many\" at position 8"), std::string::npos);
    EXPECT_NE(errorOf("size >").find("the end"), std::string::npos);
    EXPECT_NE(errorOf("(a or b").find("\")\""), std::string::npos);
    EXPECT_NE(errorOf("a )").find("position 3"), std::string::npos);
    EXPECT_NE(errorOf("size => 3").find("=>"), std::string::npos);
    EXPECT_NE(errorOf("\"abc").find("quotation"), std::string::npos);
    EXPECT_NE(errorOf("a or").find("the end"), std::string::npos);
    EXPECT_NE(errorOf(std::string(100'000, '(')).find("too deeply"), std::string::npos);
}

TEST(RowFilter, NestingAndLengthAreBounded) {
    const auto nested = [](std::size_t levels) {
        return std::string(levels, '(') + "a" + std::string(levels, ')');
    };
    EXPECT_TRUE(RowFilter::parse(nested(100), findColumn));
    EXPECT_FALSE(RowFilter::parse(nested(101), findColumn));
    std::string negations = "a";
    for (int i = 0; i < 101; ++i) {
        negations.insert(0, "not ");
    }
    EXPECT_NE(errorOf(negations).find("too deeply"), std::string::npos);
    std::string words = "a";
    std::string groups = "(a)";
    for (int i = 1; i < 499; ++i) { // one after the other is no nesting
        words += " or a";
        groups += " or (a)";
    }
    EXPECT_TRUE(RowFilter::parse(words, findColumn));
    EXPECT_TRUE(RowFilter::parse(groups, findColumn));
}

TEST(RowFilter, OnlyConditionsReadCells) {
    EXPECT_FALSE(RowFilter::parse("a -b", findColumn)->readsCells());
    EXPECT_TRUE(RowFilter::parse("a size > 1", findColumn)->readsCells());
}

TEST(RowFilter, InAListOfValues) {
    EXPECT_TRUE(takes("optimizer in [adamw, sgd]", kRun));
    EXPECT_TRUE(takes("optimizer in [sgd,adamw] and seed == 2", kRun));
    EXPECT_FALSE(takes("optimizer in [sgd, adam]", kRun)) << "equal, not contained";
    EXPECT_TRUE(takes("seed in [1, 2.0]", kRun));
    EXPECT_FALSE(takes("seed not in [1, 2]", kRun));
    EXPECT_TRUE(takes("seed not in [1, 3] sweep", kRun));
    EXPECT_TRUE(takes("optimizer in ['AdamW', \"a, b\"]", kRun));
    EXPECT_TRUE(takes("shape in [[1, 2], [4096, 1024]]", kTensor));
    EXPECT_TRUE(takes("dtype in [bf16]", kTensor));
    EXPECT_FALSE(takes("lr in [1]", kTensor)) << "no value";
    EXPECT_TRUE(errorOf("optimizer in []").find("list of values") != std::string::npos);
    EXPECT_TRUE(errorOf("optimizer in [a,,b]").find("list of values") != std::string::npos);
    EXPECT_TRUE(errorOf("nothing in [a]").find("No such column") != std::string::npos);
    EXPECT_FALSE(takes("plug in", kRun)) << "words";
    EXPECT_TRUE(takes("in", Row{"main/in", {}})) << "a word";
}

TEST(RowFilter, TellsWhatCanBeSearchedFirst) {
    const auto required = [](std::string_view filter) {
        return std::string(RowFilter::parse(filter, findColumn)->requiredWord());
    };
    EXPECT_EQ(required("ab q_proj size > 1"), "q_proj");
    EXPECT_EQ(required("(ab or q_proj) x"), "x");
    EXPECT_EQ(required("-ab not x"), "");
    EXPECT_EQ(required("q_* size > 1"), "");
    EXPECT_EQ(required(""), "");
    EXPECT_TRUE(RowFilter::parse(" q_proj ", findColumn)->isOneWord());
    EXPECT_FALSE(RowFilter::parse("q_*", findColumn)->isOneWord());
}

TEST(RowFilter, TellsWhetherItNarrowsAnother) {
    const auto narrows = [](std::string_view filter, std::string_view wider) {
        return RowFilter::parse(filter, findColumn)->narrows(*RowFilter::parse(wider, findColumn));
    };
    EXPECT_TRUE(narrows("layers.1", "layers"));
    EXPECT_TRUE(narrows("layers b", "layers"));
    EXPECT_TRUE(narrows("ab", ""));
    EXPECT_FALSE(narrows("layer", "layers"));
    EXPECT_FALSE(narrows("x and y", "x an")); // the word became an operator
    EXPECT_FALSE(narrows("x or y", "x"));
    EXPECT_FALSE(narrows("x -yz", "x -y"));
    EXPECT_FALSE(narrows("ab*", "ab"));
    EXPECT_FALSE(narrows("size > 10", "size > 1"));
}

TEST(Quantity, NumbersWithUnits) {
    EXPECT_EQ(parseQuantity("100MB"), 1e8);
    EXPECT_EQ(parseQuantity("1.5 GiB"), 1.5 * 0x1p30);
    EXPECT_EQ(parseQuantity("-3e-4"), -3e-4);
    EXPECT_EQ(parseQuantity("10k"), 1e4);
    EXPECT_EQ(parseQuantity(""), std::nullopt);
    EXPECT_EQ(parseQuantity("MB"), std::nullopt);
    EXPECT_EQ(parseQuantity("1 light year"), std::nullopt);
}

} // namespace
} // namespace cairn

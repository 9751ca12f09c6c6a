// SPDX-License-Identifier: Apache-2.0
#include "core/compute/compute_backend.h"
#include "core/compute/device_choice.h"
#include "core/compute/torch_module.h"
#include "core/model/cast_pair.h"
#include "tests/core/compute/random_elements.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>

/// The libtorch lane gives the same results as the processor's kernels for every dtype. Runs on
/// libtorch's CPU device; skipped where the module is not built.
namespace cairn {
namespace {

using testing_elements::measuredDtypes;
using testing_elements::randomElements;

constexpr std::size_t kElements = 100003; // several slices, the last one short
constexpr double kLost = 4096 * 0x1p-53;
constexpr double kTrees = 3 * 0x1p-24; // for the processor's sums of bfloat16 and float16

std::size_t sizeOf(Dtype dtype) {
    return dtypeInfo(dtype).bits / 8;
}

class Backends : public ::testing::Test {
protected:
    void SetUp() override {
        const auto module = openTorchModule();
        if (!module && module.error().code == ErrorCode::NotFound) {
            GTEST_SKIP() << describe(module.error());
        }
        ASSERT_TRUE(module) << describe(module.error());
        auto opened = openBackend("torch-cpu");
        ASSERT_TRUE(opened) << describe(opened.error());
        torch = *opened;
    }
    ComputeBackendPtr cpu = cpuBackend();
    ComputeBackendPtr torch;
};

TEST_F(Backends, CastToTheSameBits) {
    std::size_t pairs = 0;
    for (const DtypeInfo& from : allDtypes()) {
        for (const DtypeInfo& to : allDtypes()) {
            if (from.dtype == to.dtype || !canCast(from.dtype, to.dtype)) {
                continue;
            }
            ++pairs;
            for (const bool tame : {false, true}) {
                const auto in = randomElements(from.dtype, kElements, 1, tame);
                std::vector<std::byte> expected(kElements * sizeOf(to.dtype));
                std::vector<std::byte> found(expected.size());
                ASSERT_TRUE(cpu->cast(from.dtype, in, to.dtype, expected));
                const auto cast = torch->cast(from.dtype, in, to.dtype, found);
                ASSERT_TRUE(cast) << describe(cast.error());
                EXPECT_EQ(found, expected) << from.name << " to " << to.name;
            }
        }
    }
    EXPECT_GT(pairs, 30U);
}

TEST_F(Backends, DequantiseToTheSameBits) {
    std::vector<float> values(12);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = 0.01F * static_cast<float>(i) - 0.03F;
    }
    values[5] = std::numeric_limits<float>::infinity();
    BlockScales scales;
    scales.values = values;
    scales.grid = Shape{3, 4};
    scales.block = Shape{128, 200};
    scales.box = Box::whole(Shape{300, 701});
    scales.box.origin[0] = 31;
    scales.box.extent[0] = 260;
    for (const Dtype from : {Dtype::Float8E4m3fn, Dtype::Float8E5m2, Dtype::Bfloat16}) {
        const auto in = randomElements(from, kElements, 2, false);
        for (const Dtype to : {Dtype::Float32, Dtype::Bfloat16, Dtype::Float16, Dtype::Float64}) {
            std::vector<std::byte> expected(kElements * sizeOf(to));
            std::vector<std::byte> found(expected.size());
            ASSERT_TRUE(cpu->dequantize(from, in, scales, 999, to, expected));
            const auto made = torch->dequantize(from, in, scales, 999, to, found);
            ASSERT_TRUE(made) << describe(made.error());
            EXPECT_EQ(found, expected) << dtypeName(from) << " to " << dtypeName(to);
        }
    }
}

TEST_F(Backends, AverageToTheSameBits) {
    const std::vector<Dtype> dtypes{Dtype::Float32, Dtype::Bfloat16, Dtype::Float64,
                                    Dtype::Float16};
    std::vector<std::vector<std::byte>> terms;
    std::vector<AveragePart> parts;
    for (std::size_t i = 0; i < dtypes.size(); ++i) {
        terms.push_back(randomElements(dtypes[i], kElements, static_cast<std::uint32_t>(i), true));
    }
    for (std::size_t i = 0; i < dtypes.size(); ++i) {
        parts.push_back({dtypes[i], terms[i], 0.1 + 0.3 * static_cast<double>(i)});
    }
    for (const Dtype to : {Dtype::Float32, Dtype::Bfloat16, Dtype::Float16, Dtype::Float64}) {
        std::vector<std::byte> expected(kElements * sizeOf(to));
        std::vector<std::byte> found(expected.size());
        ASSERT_TRUE(cpu->average(parts, to, expected));
        const auto made = torch->average(parts, to, found);
        ASSERT_TRUE(made) << describe(made.error());
        EXPECT_EQ(found, expected) << dtypeName(to);
    }
}

TEST_F(Backends, MeasureTheSame) {
    for (const Dtype dtype : measuredDtypes()) {
        for (const bool tame : {false, true}) {
            const auto in = randomElements(dtype, kElements, 3, tame);
            const auto expected = cpu->statistics(dtype, in);
            const auto found = torch->statistics(dtype, in);
            ASSERT_TRUE(expected);
            ASSERT_TRUE(found) << describe(found.error());
            SCOPED_TRACE(std::string(dtypeName(dtype)) + (tame ? ", tame" : ""));
            EXPECT_EQ(found->count, expected->count);
            EXPECT_EQ(found->nan, expected->nan);
            EXPECT_EQ(found->inf, expected->inf);
            EXPECT_EQ(found->zeros, expected->zeros);
            const bool complex = dtypeInfo(dtype).kind == DtypeKind::Complex;
            const double last = complex ? 0x1p-52 : 0; // the last digit of hypot
            EXPECT_NEAR(found->min, expected->min, last * std::abs(expected->min));
            EXPECT_NEAR(found->max, expected->max, last * std::abs(expected->max));
            const double lost = 2 * kLost + (sizeOf(dtype) == 2 ? kTrees : 0);
            const auto near = [&](double a, double b, double of, const char* what) {
                if (!std::isfinite(b) || !std::isfinite(of)) { // outside the range of a double
                    EXPECT_FALSE(std::isfinite(a)) << what;
                } else {
                    EXPECT_NEAR(a, b, lost * of) << what;
                }
            };
            near(found->sumSquares, expected->sumSquares, expected->sumSquares, "sumSquares");
            near(found->m2, expected->m2, expected->m2, "m2");
            if (std::isfinite(expected->l1)) {
                near(found->l1, expected->l1, expected->l1, "l1");
                near(found->mean, expected->mean,
                     expected->l1 / static_cast<double>(expected->finite()), "mean");
            }
        }
    }
}

std::vector<std::byte> changed(std::vector<std::byte> bytes, std::uint32_t seed) {
    std::mt19937 random(seed);
    for (int i = 0; i < 2000; ++i) {
        bytes[random() % bytes.size()] ^= static_cast<std::byte>(1U << (random() % 8));
    }
    return bytes;
}

void expectSame(const ElementComparison& found, const ElementComparison& expected) {
    EXPECT_EQ(found.count, expected.count);
    EXPECT_EQ(found.identical, expected.identical);
    EXPECT_EQ(found.numeric, expected.numeric);
    EXPECT_EQ(found.changed, expected.changed);
    EXPECT_EQ(found.beyond, expected.beyond);
    EXPECT_EQ(found.nonfinite, expected.nonfinite);
    EXPECT_EQ(found.changedAfterCast, expected.changedAfterCast);
    const auto near = [](double a, double b, double lost) {
        if (std::isfinite(a) && std::isfinite(b)) {
            EXPECT_NEAR(a, b, lost * std::abs(b));
        } else {
            EXPECT_EQ(std::isfinite(a), std::isfinite(b));
        }
    };
    near(found.maxAbs, expected.maxAbs, 0x1p-52);
    near(found.sumAbs, expected.sumAbs, 2 * kLost);
    near(found.sumSquares, expected.sumSquares, 2 * kLost);
    near(found.leftSquares, expected.leftSquares, 2 * kLost + kTrees);
    near(found.rightSquares, expected.rightSquares, 2 * kLost + kTrees);
}

TEST_F(Backends, CompareTheSame) {
    for (const Dtype dtype : measuredDtypes()) {
        const auto left = randomElements(dtype, kElements, 4, false);
        const auto right = changed(left, 5);
        for (const Tolerance tolerance : {Tolerance{}, Tolerance{1e-3, 1e-6}}) {
            SCOPED_TRACE(std::string(dtypeName(dtype)) + ", rtol " +
                         std::to_string(tolerance.rtol));
            for (const auto& other : {left, right}) {
                const auto expected = cpu->compare(dtype, left, dtype, other, tolerance);
                const auto found = torch->compare(dtype, left, dtype, other, tolerance);
                ASSERT_TRUE(expected);
                ASSERT_TRUE(found) << describe(found.error());
                expectSame(*found, *expected);
            }
        }
    }
}

TEST_F(Backends, CompareTwoDtypesTheSame) {
    const auto dtypes = measuredDtypes();
    std::size_t pairs = 0;
    for (const Dtype left : dtypes) {
        for (const Dtype right : dtypes) {
            if (left == right || !canCompare(left, right)) {
                continue;
            }
            ++pairs;
            const std::size_t count = 5003;
            const auto l = randomElements(left, count, 6, false);
            auto r = randomElements(right, count, 7, false);
            if (canCast(left, right)) { // nearly all are equal after the cast
                ASSERT_TRUE(cpu->cast(left, l, right, r));
            }
            SCOPED_TRACE(std::string(dtypeName(left)) + " with " + std::string(dtypeName(right)));
            const auto expected = cpu->compare(left, l, right, r, {});
            const auto found = torch->compare(left, l, right, r, {});
            ASSERT_TRUE(expected);
            ASSERT_TRUE(found) << describe(found.error());
            expectSame(*found, *expected);
        }
    }
    EXPECT_GT(pairs, 100U);
}

TEST_F(Backends, NameWhatIsThereWhenADeviceIsNot) {
    const auto none = openBackend("cuda:77");
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ErrorCode::NotFound);
    EXPECT_NE(none.error().message.text().find("cuda:77"), std::string::npos);
    EXPECT_NE(none.error().found.text().find("libtorch"), std::string::npos);
    EXPECT_FALSE(none.error().hint.empty());
}

TEST(DeviceChoice, LeavesCopiesToTheProcessor) {
    const auto choice = chooseDevice("auto", {});
    ASSERT_TRUE(choice);
    EXPECT_EQ(choice->device, "cpu");
    EXPECT_NE(choice->why.text().find("only copied"), std::string::npos);
}

TEST(DeviceChoice, KnowsNoOtherNames) {
    for (const char* name : {"gpu", "cuda:", "cuda:-1", "cuda:0x", "CPU", ""}) {
        const auto choice = chooseDevice(name, {});
        ASSERT_FALSE(choice) << name;
        EXPECT_EQ(choice.error().code, ErrorCode::InvalidArgument) << name;
    }
}

TEST(DeviceChoice, ForecastsWhatIsSlower) {
    const std::uint64_t gigabyte = 1'000'000'000;
    const DeviceWork fromMemory{DeviceWork::Kind::Cast, 8 * gigabyte, 4 * gigabyte, 0};
    EXPECT_DOUBLE_EQ(laneSeconds(fromMemory, 1, 4e9), 3);
    const DeviceWork fromDisk{DeviceWork::Kind::Cast, 8 * gigabyte, 4 * gigabyte, 1e9};
    EXPECT_DOUBLE_EQ(laneSeconds(fromDisk, 1, 4e9), 9);
    EXPECT_GT(laneSeconds(fromDisk, 1, 50e9), laneSeconds(fromDisk, 0, 4e9))
        << "where the disk decides, waking a device is lost";
}

} // namespace
} // namespace cairn

// SPDX-License-Identifier: Apache-2.0
#include "tests/core/compute/torch/module_checks.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <thread>

/// Tests of the libtorch module through its C interface, against loops in plain C++. Needs only the
/// module, so that it runs on machines with nothing but PyTorch installed:
///   torch_module_test libcairn_torch.so [cpu|cuda:0]
/// Prints what fails; the exit status is the number of failures, or 77 if there is no such device.
namespace module_checks {
namespace {

constexpr std::array kCastSources{kCairnTable8, kCairnFloat16, kCairnBfloat16, kCairnFloat32,
                                  kCairnFloat64};
constexpr std::array kCastTargets{kCairnFloat16, kCairnBfloat16, kCairnFloat32, kCairnFloat64};
constexpr std::size_t kCount = 70001;

std::uint64_t bitsIn(const std::vector<std::byte>& bytes, std::size_t width, std::size_t i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + i * width, width);
    return bits;
}

/// All patterns of 16-bit kinds; for wider ones, random patterns and those around the limits of the
/// targets.
Buffer castInput(int kind, bool tame) {
    Buffer made = random(kind, kCount, 7, tame);
    if (kind == kCairnFloat16 || kind == kCairnBfloat16) {
        for (std::size_t i = 0; i < 65536; ++i) {
            const auto bits = static_cast<std::uint16_t>(i);
            std::memcpy(made.bytes.data() + 2 * i, &bits, 2);
        }
    } else if (kind == kCairnFloat32 || kind == kCairnFloat64) {
        std::size_t i = 0;
        for (const double edge : {65504.0, 65519.99, 65520.0, 0x1p-24, 0x1p-25, 0x1.8p-25, 0x1p-14,
                                  0x1.FEp127, 0x1.FFp127, 0x1p-126, 0x1p-149, 0x1p-150, 1.0, 0.0,
                                  std::numeric_limits<double>::infinity()}) {
            for (const double sign : {1.0, -1.0}) {
                for (const double factor :
                     {1.0, 1 + 0x1p-11, 1 + 0x1p-8, 1 + 0x1.8p-8, 1 + 0x1p-30}) {
                    const double value = edge * sign * factor;
                    if (kind == kCairnFloat64) {
                        std::memcpy(made.bytes.data() + 8 * i++, &value, 8);
                    } else {
                        const auto narrow = static_cast<float>(value);
                        std::memcpy(made.bytes.data() + 4 * i++, &narrow, 4);
                    }
                }
            }
        }
    }
    return made;
}

} // namespace

void Module::casts() {
    for (const int from : kCastSources) {
        for (const int to : kCastTargets) {
            for (const bool tame : {false, true}) {
                if (from == to) {
                    continue;
                }
                const Buffer in = castInput(from, tame);
                const std::size_t width = module_access::widthOf(to);
                std::vector<std::byte> out(kCount * width);
                CairnTorchError error{};
                const CairnElements elements = in.elements();
                const CairnTarget target{to, out.data()};
                const std::string what = std::string("cast ") + nameOf(from) + " to " + nameOf(to);
                ok(m_module.cast(m_lane, &elements, kCount, &target, &error), error, what);
                const bool wide = from == kCairnFloat32 || from == kCairnFloat64;
                for (std::size_t i = 0; i < kCount; ++i) {
                    const std::uint64_t expected = bitsAt(asFloat(in, i), to, wide);
                    const std::uint64_t found = bitsIn(out, width, i);
                    if (found != expected) {
                        char text[160];
                        std::snprintf(text, sizeof text, "%s, element %zu: %llx, not %llx",
                                      what.c_str(), i, static_cast<unsigned long long>(found),
                                      static_cast<unsigned long long>(expected));
                        check(false, text);
                        break;
                    }
                }
            }
        }
    }
}

/// A box in the middle of a tensor whose shape is not a multiple of the block.
void Module::dequantize() {
    const std::array<std::int64_t, 2> shape{300, 700};
    const std::array<std::int64_t, 2> block{128, 96};
    const std::array<std::int64_t, 2> grid{3, 8};
    const std::array<std::int64_t, 2> origin{100, 51};
    const std::array<std::int64_t, 2> extent{200, 600};
    std::vector<float> scales(24);
    for (std::size_t i = 0; i < scales.size(); ++i) {
        scales[i] = 0.001F * static_cast<float>(i + 1);
    }
    scales[7] = std::numeric_limits<float>::infinity();
    scales[9] = std::bit_cast<float>(0xFF812345U); // a NaN with sign and payload, not quiet
    const Buffer in = random(kCairnTable8, kCount, 3, false);
    const std::uint64_t first = 777;
    const CairnScales how{scales.data(), scales.size(), 2,           origin.data(),
                          extent.data(), block.data(),  grid.data(), first};
    for (const int to : kCastTargets) {
        std::vector<std::byte> out(kCount * module_access::widthOf(to));
        CairnTorchError error{};
        const CairnElements elements = in.elements();
        const CairnTarget target{to, out.data()};
        ok(m_module.dequantize(m_lane, &elements, kCount, &how, &target, &error), error,
           "dequantize");
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < kCount; ++i) {
            const std::uint64_t at = first + i;
            const auto row = static_cast<std::int64_t>(at / 600) + origin[0];
            const auto column = static_cast<std::int64_t>(at % 600) + origin[1];
            const float scale =
                scales[static_cast<std::size_t>(row / block[0] * grid[1] + column / block[1])];
            const float value = asFloat(in, i);
            const float made = value * scale;
            std::uint32_t bits = std::bit_cast<std::uint32_t>(made);
            if (std::isnan(made)) {
                bits = std::isnan(value)   ? std::bit_cast<std::uint32_t>(value) | 0x400000U
                       : std::isnan(scale) ? std::bit_cast<std::uint32_t>(scale) | 0x400000U
                                           : 0xFFC00000U;
            }
            wrong += bitsIn(out, module_access::widthOf(to), i) ==
                             bitsAt(std::bit_cast<float>(bits), to, true)
                         ? 0
                         : 1;
        }
        check(wrong == 0, std::string("dequantize to ") + nameOf(to) + ": " +
                              std::to_string(wrong) + " elements");
    }
    CairnScales tooFew = how;
    tooFew.count = 23;
    std::vector<std::byte> out(kCount * 4);
    CairnTorchError error{};
    const CairnElements elements = in.elements();
    const CairnTarget target{kCairnFloat32, out.data()};
    check(m_module.dequantize(m_lane, &elements, kCount, &tooFew, &target, &error) != 0 &&
              error.text[0] != '\0',
          "too few scales are refused");
    (void)shape;
}

void Module::averages() {
    const std::array kinds{kCairnFloat32, kCairnBfloat16, kCairnFloat64, kCairnFloat16};
    std::vector<Buffer> terms;
    std::vector<CairnElements> elements;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        terms.push_back(random(kinds[i], kCount, static_cast<std::uint32_t>(11 + i), true));
    }
    for (const Buffer& term : terms) {
        elements.push_back(term.elements());
    }
    const std::array weights{0.3, 1.0, 0.7, 2.5};
    const double total = 0.0 + weights[0] + weights[1] + weights[2] + weights[3];
    const CairnTerms all{elements.data(), weights.data(), weights.size()};
    for (const int to : kCastTargets) {
        std::vector<std::byte> out(kCount * module_access::widthOf(to));
        const CairnTarget target{to, out.data()};
        CairnTorchError error{};
        ok(m_module.average(m_lane, &all, kCount, &target, &error), error, "average");
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < kCount; ++i) {
            double sum = 0;
            for (std::size_t t = 0; t < terms.size(); ++t) {
                const double part = asDouble(terms[t], i) * weights[t];
                sum += part;
            }
            const double mean = sum / total;
            const std::uint64_t expected = to == kCairnFloat64 ? std::bit_cast<std::uint64_t>(mean)
                                                               : bitsAt(floatOf(mean), to, true);
            wrong += bitsIn(out, module_access::widthOf(to), i) == expected ? 0 : 1;
        }
        check(wrong == 0,
              std::string("average to ") + nameOf(to) + ": " + std::to_string(wrong) + " elements");
    }
}

void Module::statistics() {
    for (int kind = 0; kind < kCairnKinds; ++kind) {
        for (const bool tame : {false, true}) {
            const std::size_t count = 33333;
            const Buffer in = random(kind, count, 5, tame);
            CairnStatistics found{};
            CairnTorchError error{};
            const CairnElements elements = in.elements();
            const std::string what = std::string("statistics of ") + nameOf(kind);
            ok(m_module.statistics(m_lane, &elements, count, &found, &error), error, what);
            CairnStatistics expected{};
            long double sum = 0;
            long double l1 = 0;
            long double squares = 0;
            expected.count = count;
            expected.min = std::numeric_limits<double>::infinity();
            expected.max = -expected.min;
            for (std::size_t i = 0; i < count; ++i) {
                const auto value = valueAt(in, i);
                const double x =
                    isComplex(kind) ? std::hypot(value.real(), value.imag()) : value.real();
                if (!std::isfinite(x)) {
                    ++(std::isnan(x) ? expected.nan : expected.inf);
                    continue;
                }
                expected.zeros += x == 0 ? 1 : 0;
                expected.min = std::min(expected.min, x);
                expected.max = std::max(expected.max, x);
                sum += x;
                l1 += std::abs(x);
                squares += static_cast<long double>(x) * x;
            }
            const auto n = static_cast<long double>(count - expected.nan - expected.inf);
            const long double mean = sum / n;
            long double m2 = 0;
            for (std::size_t i = 0; i < count; ++i) {
                const auto value = valueAt(in, i);
                const double x =
                    isComplex(kind) ? std::hypot(value.real(), value.imag()) : value.real();
                m2 += std::isfinite(x) ? (x - mean) * (x - mean) : 0;
            }
            constexpr double kLost = 4096 * 0x1p-53;
            check(found.count == count && found.nan == expected.nan && found.inf == expected.inf &&
                      found.zeros == expected.zeros,
                  what + ": counts");
            const double last = isComplex(kind) ? 1e-15 : 0; // the last digit of hypot
            check(close(found.min, expected.min, last * expected.min) &&
                      close(found.max, expected.max, last * expected.max),
                  what + ": range");
            if (kind == kCairnFloat64 || kind == kCairnComplex128) {
                if (!tame) { // some squares and sums exceed the range of a double
                    check(std::isinf(found.m2) && std::isinf(found.sumSquares),
                          what + ": squares beyond a double");
                    continue;
                }
            }
            const auto spread = static_cast<double>(l1);
            check(close(found.mean, static_cast<double>(mean),
                        kLost * spread / static_cast<double>(n)),
                  what + ": mean");
            check(close(found.l1, spread, kLost * spread), what + ": l1");
            check(close(found.sumSquares, static_cast<double>(squares),
                        kLost * static_cast<double>(squares)),
                  what + ": squares");
            check(close(found.m2, static_cast<double>(m2), 2 * kLost * static_cast<double>(m2)),
                  what + ": m2");
        }
    }
}

/// A mean that is large compared with the deviation loses no digits; a tensor without finite
/// elements is no error.
void Module::steady() {
    Buffer in{kCairnFloat64, std::vector<std::byte>(8 * 20000)};
    for (std::size_t i = 0; i < 20000; ++i) {
        const double value = 1e9 + (i % 2 == 0 ? 0.25 : -0.25);
        std::memcpy(in.bytes.data() + 8 * i, &value, 8);
    }
    CairnStatistics found{};
    CairnTorchError error{};
    CairnElements elements = in.elements();
    ok(m_module.statistics(m_lane, &elements, 20000, &found, &error), error, "steady");
    check(found.mean == 1e9 && close(found.m2, 20000 / 16.0, 1e-6), "a steady tensor's deviation");
    for (std::size_t i = 0; i < 20000; ++i) {
        const double value = std::numeric_limits<double>::quiet_NaN();
        std::memcpy(in.bytes.data() + 8 * i, &value, 8);
    }
    ok(m_module.statistics(m_lane, &elements, 20000, &found, &error), error, "all NaN");
    check(found.nan == 20000 && found.min == 0 && found.max == 0 && found.mean == 0 &&
              found.m2 == 0,
          "statistics of NaN alone");
    ok(m_module.statistics(m_lane, &elements, 0, &found, &error), error, "nothing");
    check(found.count == 0 && found.mean == 0, "statistics of nothing");
}

void Module::comparisons() {
    for (int kind = 0; kind < kCairnKinds; ++kind) {
        const std::size_t count = 33333;
        const Buffer left = random(kind, count, 5, false);
        Buffer right = left;
        std::mt19937 engine(9);
        for (int i = 0; i < 500; ++i) {
            right.bytes[engine() % right.bytes.size()] ^=
                static_cast<std::byte>(1U << (engine() % 8));
        }
        for (const bool tolerant : {false, true}) {
            if (tolerant && isComplex(kind)) {
                continue; // depends on the last digit of hypot
            }
            CairnCompareOptions options{tolerant ? 1e-3 : 0.0, tolerant ? 1e-6 : 0.0, 1, {}};
            CairnComparison found{};
            CairnTorchError error{};
            const CairnSides sides{left.elements(), right.elements(), count};
            const CairnSides same{left.elements(), left.elements(), count};
            const std::string what = std::string("comparison of ") + nameOf(kind);
            ok(m_module.compare(m_lane, &sides, &options, &found, &error), error, what);
            CairnComparison expected{};
            long double sumAbs = 0;
            const bool wide = kind == kCairnInt64 || kind == kCairnUint64;
            for (std::size_t i = 0; i < count; ++i) {
                const auto a = valueAt(left, i);
                const auto b = valueAt(right, i);
                const auto differ = [](double x, double y) {
                    return !(x == y || (std::isnan(x) && std::isnan(y)));
                };
                bool changed = differ(a.real(), b.real()) || differ(a.imag(), b.imag());
                const bool finite = std::isfinite(a.real()) && std::isfinite(a.imag()) &&
                                    std::isfinite(b.real()) && std::isfinite(b.imag());
                expected.nonfinite += finite ? 0 : 1;
                if (!finite) {
                    expected.beyond += changed ? 1 : 0;
                } else {
                    const double distance = std::hypot(a.real() - b.real(), a.imag() - b.imag());
                    const double allowed = options.rtol * std::abs(b.real());
                    const bool beyond = distance > options.atol + allowed;
                    sumAbs += distance;
                    expected.maxAbs = std::max(expected.maxAbs, distance);
                    if (wide) {
                        changed = left.at<std::int64_t>(i) != right.at<std::int64_t>(i);
                    }
                    expected.beyond += (wide && !tolerant ? changed : beyond) ? 1 : 0;
                }
                expected.changed += changed ? 1 : 0;
            }
            check(found.changed == expected.changed && found.beyond == expected.beyond &&
                      found.nonfinite == expected.nonfinite && found.identical == 0,
                  what + ": counts " + std::to_string(found.changed) + " " +
                      std::to_string(expected.changed) + ", " + std::to_string(found.beyond) + " " +
                      std::to_string(expected.beyond) + ", " + std::to_string(found.nonfinite) +
                      " " + std::to_string(expected.nonfinite));
            check(close(found.maxAbs, expected.maxAbs, 1e-15 * expected.maxAbs) &&
                      close(found.sumAbs, static_cast<double>(sumAbs),
                            1e-12 * static_cast<double>(sumAbs)),
                  what + ": distances");
            ok(m_module.compare(m_lane, &same, &options, &found, &error), error, what);
            check(found.identical == 1 && found.changed == 0 && found.maxAbs == 0 &&
                      close(found.dot, found.leftSquares, 0),
                  what + " with itself");
        }
    }
}

/// Sides of two dtypes, one cast from the other: nothing differs after the cast.
void Module::afterCast() {
    const Buffer wide = random(kCairnFloat32, kCount, 21, false);
    const std::array<CairnFloatForm, 2> forms{
        CairnFloatForm{11, -14, 65504, std::numeric_limits<double>::infinity()},
        CairnFloatForm{8, -126, 0x1.FEp127, std::numeric_limits<double>::infinity()}};
    for (const int to : {kCairnFloat16, kCairnBfloat16}) {
        Buffer narrow{to, std::vector<std::byte>(kCount * 2)};
        for (std::size_t i = 0; i < kCount; ++i) {
            const std::uint64_t bits = bitsAt(asFloat(wide, i), to, true);
            std::memcpy(narrow.bytes.data() + 2 * i, &bits, 2);
        }
        const CairnCompareOptions options{0, 0, 0, forms[to == kCairnFloat16 ? 0 : 1]};
        CairnComparison found{};
        CairnTorchError error{};
        CairnSides sides{wide.elements(), narrow.elements(), kCount};
        ok(m_module.compare(m_lane, &sides, &options, &found, &error), error, "afterCast");
        check(found.changedAfterCast == 0 && found.changed > kCount / 2 && found.identical == 0,
              std::string("float32 cast to ") + nameOf(to) + ": " +
                  std::to_string(found.changedAfterCast) + " differ after the cast");
        narrow.bytes[1000] ^= std::byte{3};
        narrow.bytes[2000] ^= std::byte{3};
        sides.right = narrow.elements();
        ok(m_module.compare(m_lane, &sides, &options, &found, &error), error, "afterCast");
        check(found.changedAfterCast >= 1 && found.changedAfterCast <= 2,
              "changed elements show after the cast");
    }
}

void Module::errors() {
    CairnTorchError error{};
    CairnTorchLane* none = nullptr;
    check(m_module.openLane("cuda:99", 1 << 20, &none, &error) != 0 && none == nullptr &&
              std::string(error.text).find("cuda:99") != std::string::npos,
          std::string("no such device: ") + error.text);
    check(m_module.openLane("nonsense", 1 << 20, &none, &error) != 0, "no device's name");
    const Buffer in = random(kCairnInt32, 10, 1, false);
    const CairnElements elements = in.elements();
    std::array<float, 10> out{};
    const CairnTarget target{kCairnFloat32, out.data()};
    check(m_module.cast(m_lane, &elements, 10, &target, &error) != 0 && error.text[0] != '\0',
          "integers are not cast");
    CairnElements strange = elements;
    strange.kind = 99;
    CairnStatistics statistics{};
    check(m_module.statistics(m_lane, &strange, 10, &statistics, &error) != 0,
          "no element kind 99");
    CairnTorchSpectrum* spectrum = nullptr;
    const std::array<double, 4> nan{1, 2, std::numeric_limits<double>::quiet_NaN(), 4};
    const CairnElements matrix{nan.data(), kCairnFloat64, nullptr};
    ok(m_module.openSpectrum(m_device.c_str(), 2, &spectrum, &error), error, "openSpectrum");
    check(m_module.addRows(spectrum, &matrix, 2, &error) != 0 &&
              std::string(error.text).find("non-finite") != std::string::npos,
          std::string("NaN in a matrix: ") + error.text);
    m_module.closeSpectrum(spectrum);
}

/// Several lanes in parallel give the same results as one.
void Module::threads() {
    const Buffer in = random(kCairnBfloat16, kCount, 33, true);
    const CairnElements elements = in.elements();
    CairnStatistics expected{};
    CairnTorchError error{};
    ok(m_module.statistics(m_lane, &elements, kCount, &expected, &error), error, "one lane");
    std::array<CairnStatistics, 4> found{};
    std::vector<std::thread> threads;
    for (CairnStatistics& one : found) {
        threads.emplace_back([&] {
            CairnTorchLane* lane = nullptr;
            CairnTorchError mine{};
            if (m_module.openLane(m_device.c_str(), 40000, &lane, &mine) == 0) {
                for (int i = 0; i < 5; ++i) {
                    m_module.statistics(lane, &elements, kCount, &one, &mine);
                }
                m_module.closeLane(lane);
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    for (const CairnStatistics& one : found) {
        check(std::memcmp(&one, &expected, sizeof one) == 0, "lanes side by side");
    }
}

} // namespace module_checks

int main(int argc, char** argv) {
    using namespace module_checks;
    if (argc < 2) {
        std::fprintf(stderr, "%s libcairn_torch.so [cpu|cuda:0]\n", argv[0]);
        return 2;
    }
    const CairnTorchModule& module = module_access::openModule(argv[1]);
    const std::string device = argc > 2 ? argv[2] : "cpu";
    CairnTorchError why{};
    const int devices = module.cudaDevices(&why);
    std::printf("libtorch %s, %d CUDA devices%s%s; tested: %s\n", module.torchVersion, devices,
                why.text[0] != '\0' ? ": " : "", why.text, device.c_str());
    if (device != "cpu" && devices == 0) {
        std::printf("skipped: there is no CUDA device\n");
        return 77;
    }
    Module test(module, device);
    test.open();
    if (failures > 0) {
        return failures;
    }
    test.casts();
    test.dequantize();
    test.averages();
    test.statistics();
    test.steady();
    test.comparisons();
    test.afterCast();
    test.spectra();
    test.similarities();
    test.errors();
    test.threads();
    std::printf("%d failures\n", failures);
    return std::min(failures, 70);
}

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/core/compute/torch/plain_elements.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

/// Shared by the module's tests: counting and printing failures, and the declarations of the tests.
namespace module_checks {

using namespace plain;

inline int failures = 0;

inline void check(bool good, const std::string& what) {
    if (!good) {
        ++failures;
        if (failures < 60) {
            std::printf("FAILED: %s\n", what.c_str());
        }
    }
}

inline const char* nameOf(int kind) {
    constexpr std::array kNames{"table8",  "int16",     "uint16",    "int32",     "uint32",
                                "int64",   "uint64",    "float16",   "bfloat16",  "float32",
                                "float64", "complex32", "complex64", "complex128"};
    return kNames[static_cast<std::size_t>(kind)];
}

inline bool close(double a, double b, double tolerance) {
    return a == b || std::abs(a - b) <= tolerance || (std::isnan(a) && std::isnan(b));
}

class Module {
public:
    Module(const CairnTorchModule& module, std::string device)
        : m_module(module), m_device(std::move(device)) {}
    ~Module() { m_module.closeLane(m_lane); }
    Module(const Module&) = delete;
    Module& operator=(const Module&) = delete;

    void open() {
        CairnTorchError error{};
        // Slices much smaller than the tests' elements: several, the last one short.
        ok(m_module.openLane(m_device.c_str(), 40000, &m_lane, &error), error, "openLane");
    }
    static void ok(int code, const CairnTorchError& error, const std::string& what) {
        check(code == 0, what + ": " + error.text);
    }

    void casts();
    void dequantize();
    void averages();
    void statistics();
    void steady();
    void comparisons();
    void afterCast();
    void spectra();
    void similarities();
    void errors();
    void threads();

private:
    double spectrumError(std::uint64_t rows, std::uint64_t columns, bool transposed);
    double cka(const std::vector<double>& left, const std::vector<double>& right, std::size_t rows,
               std::size_t leftColumns, std::size_t rightColumns, bool byColumns);

    const CairnTorchModule& m_module;
    std::string m_device;
    CairnTorchLane* m_lane = nullptr;
};

} // namespace module_checks

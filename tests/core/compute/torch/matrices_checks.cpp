// SPDX-License-Identifier: Apache-2.0
#include "tests/core/compute/torch/module_checks.h"

#include <algorithm>
#include <random>

/// Singular values and similarity, tested on matrices with known results.
namespace module_checks {
namespace {

/// A matrix U diag(s) V' of Householder reflections, which has the singular values s.
std::vector<double> matrixOf(const std::vector<double>& values, std::size_t rows,
                             std::size_t columns) {
    const auto reflector = [](std::size_t size, double seed) {
        std::vector<double> v(size);
        double norm = 0;
        for (std::size_t i = 0; i < size; ++i) {
            v[i] = std::sin(seed * static_cast<double>(i + 1)) + 0.1;
            norm += v[i] * v[i];
        }
        for (double& x : v) {
            x /= std::sqrt(norm);
        }
        return v;
    };
    const auto u = reflector(rows, 1.3);
    const auto v = reflector(columns, 0.7);
    std::vector<double> made(rows * columns);
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < columns; ++j) {
            double sum = 0; // of (I - 2uu')_ik s_k (I - 2vv')_kj
            for (std::size_t k = 0; k < values.size(); ++k) {
                const double left = (i == k ? 1.0 : 0.0) - 2 * u[i] * u[k];
                const double right = (j == k ? 1.0 : 0.0) - 2 * v[j] * v[k];
                sum += left * values[k] * right;
            }
            made[i * columns + j] = sum;
        }
    }
    return made;
}

/// CKA computed by its definition, with both matrices in memory.
double plainCka(const std::vector<double>& left, const std::vector<double>& right, std::size_t rows,
                std::size_t leftColumns, std::size_t rightColumns) {
    const auto centred = [&](std::vector<double> matrix, std::size_t columns) {
        for (std::size_t j = 0; j < columns; ++j) {
            double mean = 0;
            for (std::size_t i = 0; i < rows; ++i) {
                mean += matrix[i * columns + j] / static_cast<double>(rows);
            }
            for (std::size_t i = 0; i < rows; ++i) {
                matrix[i * columns + j] -= mean;
            }
        }
        return matrix;
    };
    const auto x = centred(left, leftColumns);
    const auto y = centred(right, rightColumns);
    const auto norm = [&](const std::vector<double>& a, std::size_t m, const std::vector<double>& b,
                          std::size_t n) {
        double sum = 0;
        for (std::size_t j = 0; j < m; ++j) {
            for (std::size_t k = 0; k < n; ++k) {
                double dot = 0;
                for (std::size_t i = 0; i < rows; ++i) {
                    dot += a[i * m + j] * b[i * n + k];
                }
                sum += dot * dot;
            }
        }
        return sum;
    };
    return norm(x, leftColumns, y, rightColumns) /
           std::sqrt(norm(x, leftColumns, x, leftColumns) * norm(y, rightColumns, y, rightColumns));
}

} // namespace

/// The largest relative error of a matrix's known singular values, from 2 to 1e-9.
double Module::spectrumError(std::uint64_t rows, std::uint64_t columns, bool transposed) {
    const std::uint64_t least = std::min(rows, columns);
    std::vector<double> values(least);
    for (std::size_t i = 0; i < least; ++i) {
        values[i] = 2 * std::pow(10.0, -9.3 * static_cast<double>(i) / static_cast<double>(least));
    }
    const std::vector<double> matrix = matrixOf(values, rows, columns);
    CairnTorchSpectrum* spectrum = nullptr;
    CairnTorchError error{};
    const std::uint64_t side = transposed ? rows : columns;
    ok(m_module.openSpectrum(m_device.c_str(), side, &spectrum, &error), error, "openSpectrum");
    const std::uint64_t step = 37;
    const std::uint64_t length = transposed ? columns : rows;
    for (std::uint64_t first = 0; first < length; first += step) {
        const std::uint64_t count = std::min(step, length - first);
        if (!transposed) {
            const CairnElements block{matrix.data() + first * columns, kCairnFloat64, nullptr};
            ok(m_module.addRows(spectrum, &block, count, &error), error, "addRows");
            continue;
        }
        std::vector<double> part;
        for (std::uint64_t i = 0; i < rows; ++i) {
            const auto* row = matrix.data() + i * columns + first;
            part.insert(part.end(), row, row + count);
        }
        const CairnElements block{part.data(), kCairnFloat64, nullptr};
        ok(m_module.addTransposed(spectrum, &block, count, &error), error, "addTransposed");
    }
    std::vector<double> found(side);
    std::uint64_t count = 0;
    ok(m_module.finishSpectrum(spectrum, found.data(), found.size(), &count, &error), error,
       "finishSpectrum");
    m_module.closeSpectrum(spectrum);
    check(count == least, "as many singular values as the smaller side has");
    double worst = 0;
    for (std::size_t i = 0; i < std::min<std::uint64_t>(count, least); ++i) {
        worst = std::max(worst, std::abs(found[i] - values[i]) / values[0]);
    }
    return worst;
}

void Module::spectra() {
    const auto checkSpectrum = [&](std::uint64_t rows, std::uint64_t columns, bool transposed,
                                   const char* what) {
        const double error = spectrumError(rows, columns, transposed);
        check(error < 1e-14, std::string("spectrum of ") + what + ": error " +
                                 std::to_string(error * 1e15) + "e-15 of the largest");
    };
    checkSpectrum(900, 60, false, "a tall matrix, folded often");
    checkSpectrum(60, 900, true, "a wide matrix");
    checkSpectrum(128, 128, false, "a square matrix");
    checkSpectrum(5, 70, false, "fewer rows than columns");
}

double Module::cka(const std::vector<double>& left, const std::vector<double>& right,
                   std::size_t rows, std::size_t leftColumns, std::size_t rightColumns,
                   bool byColumns) {
    CairnTorchSimilarity* similarity = nullptr;
    CairnTorchError error{};
    const CairnMatrices matrices{rows, leftColumns, rightColumns, byColumns ? 1 : 0};
    ok(m_module.openSimilarity(m_device.c_str(), &matrices, &similarity, &error), error,
       "openSimilarity");
    const std::size_t step = 23;
    const auto columnsOf = [&](const std::vector<double>& matrix, std::size_t columns,
                               std::size_t first, std::size_t count) {
        std::vector<double> part;
        for (std::size_t i = 0; i < rows; ++i) {
            const auto* row = matrix.data() + i * columns + first;
            part.insert(part.end(), row, row + count);
        }
        return part;
    };
    const std::size_t length = byColumns ? std::max(leftColumns, rightColumns) : rows;
    for (std::size_t first = 0; first < length; first += step) {
        const auto countOf = [&](std::size_t all) {
            return first < all ? std::min(step, all - first) : std::size_t{0};
        };
        if (!byColumns) {
            const CairnElements l{left.data() + first * leftColumns, kCairnFloat64, nullptr};
            const CairnElements r{right.data() + first * rightColumns, kCairnFloat64, nullptr};
            ok(m_module.addBlocks(similarity, &l, countOf(rows), &r, countOf(rows), &error), error,
               "addBlocks");
            continue;
        }
        const std::size_t leftCount = countOf(leftColumns);
        const std::size_t rightCount = countOf(rightColumns);
        const auto l = columnsOf(left, leftColumns, leftCount > 0 ? first : 0, leftCount);
        const auto r = columnsOf(right, rightColumns, rightCount > 0 ? first : 0, rightCount);
        const CairnElements leftBlock{l.data(), kCairnFloat64, nullptr};
        const CairnElements rightBlock{r.data(), kCairnFloat64, nullptr};
        ok(m_module.addBlocks(similarity, &leftBlock, leftCount, &rightBlock, rightCount, &error),
           error, "addBlocks of columns");
    }
    double found = -1;
    ok(m_module.finishSimilarity(similarity, &found, &error), error, "finishSimilarity");
    m_module.closeSimilarity(similarity);
    return found;
}

void Module::similarities() {
    std::mt19937 engine(4);
    std::normal_distribution<double> normal(3, 1); // columns with a mean, which is subtracted
    const auto matrix = [&](std::size_t size) {
        std::vector<double> made(size);
        std::ranges::generate(made, [&] { return normal(engine); });
        return made;
    };
    const std::size_t rows = 70;
    const auto x = matrix(rows * 50);
    const auto y = matrix(rows * 90);
    for (const bool byColumns : {false, true}) {
        const std::string what = byColumns ? "CKA by columns" : "CKA by rows";
        check(close(cka(x, y, rows, 50, 90, byColumns), plainCka(x, y, rows, 50, 90), 1e-12), what);
        check(close(cka(x, x, rows, 50, 50, byColumns), 1, 1e-12),
              what + " of a matrix with itself");
        auto turned = x; // columns permuted, one negated, all doubled
        for (std::size_t i = 0; i < rows; ++i) {
            std::reverse(turned.begin() + static_cast<std::ptrdiff_t>(i * 50),
                         turned.begin() + static_cast<std::ptrdiff_t>(i * 50 + 50));
            turned[i * 50] *= -1;
        }
        std::ranges::for_each(turned, [](double& value) { value *= 2; });
        check(close(cka(x, turned, rows, 50, 50, byColumns), 1, 1e-12),
              what + " after an orthogonal step");
        const std::vector<double> constant(rows * 50, 2.0);
        check(std::isnan(cka(x, constant, rows, 50, 50, byColumns)), what + " of a constant side");
    }
}

} // namespace module_checks

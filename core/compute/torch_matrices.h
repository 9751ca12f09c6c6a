// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/dtype.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

struct CairnTorchModule;
struct CairnTorchSpectrum;
struct CairnTorchSimilarity;

/// Linear algebra over matrices that come block by block, done by libtorch: torch/matrices.h shows
/// how. Elements are dense, little-endian, in C order; one thread at a time, off the GUI thread.
/// `device` is that of a backend: "cpu" (libtorch on the processor) or "cuda:N". Fails: as
/// openTorchModule(); Unsupported with libtorch's own words, also when an element is not finite;
/// OutOfMemory.
namespace cairn {

/// Whether the two below take matrices of that dtype: numbers, not complex.
bool hasSpectrum(Dtype dtype);

/// Singular values of a matrix of `rows` x `columns`, in float64. Its memory is about 24 bytes for
/// each element of a square of the smaller side, whatever the larger one is.
class TorchSpectrum {
public:
    static Result<TorchSpectrum> open(const std::string& device, std::uint64_t rows,
                                      std::uint64_t columns);

    /// Whether blocks are complete columns instead of complete rows: [rows, width] of C order.
    [[nodiscard]] bool byColumns() const { return m_rows < m_columns; }
    /// REQUIRES: hasSpectrum(dtype); complete rows or columns.
    Result<void> add(Dtype dtype, std::span<const std::byte> block);
    /// Falling; as many as the smaller side has. Once.
    Result<std::vector<double>> finish();

private:
    using Handle = std::shared_ptr<CairnTorchSpectrum>;
    TorchSpectrum(const CairnTorchModule& module, Handle handle, std::uint64_t rows,
                  std::uint64_t columns)
        : m_module(&module), m_handle(std::move(handle)), m_rows(rows), m_columns(columns) {}

    const CairnTorchModule* m_module;
    Handle m_handle;
    std::uint64_t m_rows;
    std::uint64_t m_columns;
};

/// Linear CKA of two matrices of the same shape. Memory: 16 bytes for each element of a square of
/// the smaller side when that is the rows, else 24.
class TorchSimilarity {
public:
    static Result<TorchSimilarity> open(const std::string& device, std::uint64_t rows,
                                        std::uint64_t columns);

    [[nodiscard]] bool byColumns() const { return m_rows <= m_columns; }
    /// The same block of both sides.
    Result<void> add(Dtype leftType, std::span<const std::byte> left, Dtype rightType,
                     std::span<const std::byte> right);
    /// Within [0, 1]; NaN when the rows of a side are all the same. Once.
    Result<double> finish();

private:
    using Handle = std::shared_ptr<CairnTorchSimilarity>;
    TorchSimilarity(const CairnTorchModule& module, Handle handle, std::uint64_t rows,
                    std::uint64_t columns)
        : m_module(&module), m_handle(std::move(handle)), m_rows(rows), m_columns(columns) {}

    const CairnTorchModule* m_module;
    Handle m_handle;
    std::uint64_t m_rows;
    std::uint64_t m_columns;
};

} // namespace cairn

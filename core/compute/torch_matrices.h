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

/// Linear algebra over matrices that arrive block by block, computed by libtorch; torch/matrices.h
/// describes the methods. Elements are dense, little-endian, in C order. Not thread-safe; call it
/// off the GUI thread. `device` is that of a backend: "cpu" (libtorch on the processor) or
/// "cuda:N". Fails: as openTorchModule(); Unsupported with libtorch's message, also if an element
/// is not finite; OutOfMemory.
namespace cairn {

/// Whether TorchSpectrum and TorchSimilarity support the dtype: real numbers.
bool hasSpectrum(Dtype dtype);

/// Singular values of a matrix of `rows` x `columns`, in float64. Memory: about 24 bytes times the
/// square of the smaller side.
class TorchSpectrum {
public:
    static Result<TorchSpectrum> open(const std::string& device, std::uint64_t rows,
                                      std::uint64_t columns);

    /// Whether blocks are complete columns instead of complete rows: [rows, width] in C order.
    [[nodiscard]] bool byColumns() const { return m_rows < m_columns; }
    /// REQUIRES: hasSpectrum(dtype); complete rows or columns.
    Result<void> add(Dtype dtype, std::span<const std::byte> block);
    /// In descending order; as many as the smaller side has. Call it once.
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

/// Linear CKA of two matrices of the same shape. Memory: 16 bytes times the square of the smaller
/// side if that is the rows, else 24.
class TorchSimilarity {
public:
    static Result<TorchSimilarity> open(const std::string& device, std::uint64_t rows,
                                        std::uint64_t columns);

    [[nodiscard]] bool byColumns() const { return m_rows <= m_columns; }
    /// Adds the same block of both sides.
    Result<void> add(Dtype leftType, std::span<const std::byte> left, Dtype rightType,
                     std::span<const std::byte> right);
    /// Within [0, 1]; NaN if all rows of a side are equal. Call it once.
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

// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The C interface between Cairn and its libtorch module: plain data and functions, so that the
/// module may be built with another compiler or C++ runtime than the program. Neither this header
/// nor the module includes other parts of Cairn: building the module needs only a C++20 compiler
/// and libtorch.
///
/// Elements are dense and little-endian, in buffers of the caller. A function returns 0, or another
/// number and a message in `error`; no exception leaves the module. The results equal those of
/// core/compute's own kernels: casts, products and means to the last bit, counts exactly, sums
/// within the accuracy of core/compute/element_statistics.h.
#include <stddef.h>
#include <stdint.h>

extern "C" {

/// Incremented whenever this header changes; a module with another number is refused.
enum { kCairnTorchAbi = 3 };

struct CairnTorchError {
    int code; ///< CairnTorchFailure
    char text[1024];
};
enum CairnTorchFailure {
    kCairnTorchFailed = 1,
    kCairnTorchOutOfMemory = 2, ///< on the device or the machine
    kCairnTorchNoDevice = 3,
};

/// Storage of elements. All one-byte dtypes use a table.
enum CairnTorchKind {
    kCairnTable8, ///< an index into a table of 256 numbers
    kCairnInt16,
    kCairnUint16,
    kCairnInt32,
    kCairnUint32,
    kCairnInt64,
    kCairnUint64,
    kCairnFloat16,
    kCairnBfloat16,
    kCairnFloat32,
    kCairnFloat64,
    kCairnComplex32,
    kCairnComplex64,
    kCairnComplex128,
    kCairnKinds
};

struct CairnElements {
    const void* data;
    int kind;              ///< CairnTorchKind
    const uint32_t* table; ///< for kCairnTable8: 256 float32 as bits; else null
};

/// Elements that are written. The buffer must not overlap the ones that are read.
struct CairnTarget {
    int kind; ///< one of Float16, Bfloat16, Float32, Float64
    void* data;
};

/// Values that are averaged together.
struct CairnTerms {
    const struct CairnElements* elements;
    const double* weights;
    size_t count; ///< of both
};

/// Two sides that are compared.
struct CairnSides {
    struct CairnElements left, right;
    uint64_t count; ///< elements of each
};

/// The scales of quantised elements in a box of a tensor. Element i of the box, in C order, is
/// multiplied with its block's scale.
struct CairnScales {
    const float* values; ///< one for each block of the tensor, in C order
    uint64_t count;
    size_t rank;           ///< length of the four following arrays
    const int64_t* origin; ///< of the box
    const int64_t* extent;
    const int64_t* block; ///< elements that share one scale
    const int64_t* grid;  ///< blocks of the tensor along each dimension
    uint64_t first;       ///< the first requested element, counted in the box
};

/// The fields of ElementStatistics.
struct CairnStatistics {
    uint64_t count, nan, inf, zeros;
    double min, max, mean, m2, l1, sumSquares;
};

/// A float format to round to; see FloatForm in core/compute/decode.h.
struct CairnFloatForm {
    int digits; ///< bits of precision, including the leading one; 0: not requested
    int lowest; ///< exponent of the smallest normal number
    double largest;
    double beyond; ///< result for larger magnitudes
};

struct CairnCompareOptions {
    double rtol, atol;
    int sameDtype;
    struct CairnFloatForm narrow; ///< for counting differences after both sides are rounded to it
};

/// The fields of ElementComparison.
struct CairnComparison {
    uint64_t count, changed, beyond, nonfinite, changedAfterCast;
    int identical;
    double maxAbs, sumAbs, sumSquares, leftSquares, rightSquares, dot;
};

/// Two matrices with the same number of rows.
struct CairnMatrices {
    uint64_t rows, leftColumns, rightColumns;
    /// Blocks contain complete columns, memory 16 bytes times rows²; otherwise complete rows, 8
    /// bytes times (leftColumns² + rightColumns² + leftColumns·rightColumns).
    int byColumns;
};

/// A device with its streams and pinned buffers. One thread at a time; several lanes of a device
/// may be used in parallel.
struct CairnTorchLane;

/// Singular values of a matrix that arrives in blocks of rows; if it is wider than high, pass its
/// transpose.
struct CairnTorchSpectrum;

/// Similarity of two matrices with the same number of rows, which arrive in blocks of complete rows
/// or complete columns.
struct CairnTorchSimilarity;

struct CairnTorchModule {
    int abi;
    const char* torchVersion; ///< owned by the module
    /// CUDA devices that libtorch can use; 0 with the reason in `why` (may be empty).
    int (*cudaDevices)(struct CairnTorchError* why);

    /// `device`: "cpu" or "cuda:N". Work is split into slices of about `sliceBytes`, the size of a
    /// pinned buffer; a lane has two buffers for each direction.
    int (*openLane)(const char* device, uint64_t sliceBytes, struct CairnTorchLane** lane,
                    struct CairnTorchError* error);
    void (*closeLane)(struct CairnTorchLane* lane);
    /// Measures the rate of copies from pinned memory to the device.
    int (*measureLink)(struct CairnTorchLane* lane, uint64_t bytes, double* bytesPerSecond,
                       struct CairnTorchError* error);

    int (*cast)(struct CairnTorchLane* lane, const struct CairnElements* in, uint64_t count,
                const struct CairnTarget* out, struct CairnTorchError* error);
    int (*dequantize)(struct CairnTorchLane* lane, const struct CairnElements* in, uint64_t count,
                      const struct CairnScales* scales, const struct CairnTarget* out,
                      struct CairnTorchError* error);
    /// Sum of weight times element over the terms, in order, divided by the sum of the weights.
    int (*average)(struct CairnTorchLane* lane, const struct CairnTerms* terms, uint64_t count,
                   const struct CairnTarget* out, struct CairnTorchError* error);
    int (*statistics)(struct CairnTorchLane* lane, const struct CairnElements* in, uint64_t count,
                      struct CairnStatistics* out, struct CairnTorchError* error);
    /// Both sides real, or both complex.
    int (*compare)(struct CairnTorchLane* lane, const struct CairnSides* sides,
                   const struct CairnCompareOptions* options, struct CairnComparison* out,
                   struct CairnTorchError* error);

    /// Memory: about 24 bytes for each of columns² (a triangle, a block and libtorch's own).
    int (*openSpectrum)(const char* device, uint64_t columns, struct CairnTorchSpectrum** spectrum,
                        struct CairnTorchError* error);
    int (*addRows)(struct CairnTorchSpectrum* spectrum, const struct CairnElements* in,
                   uint64_t rows, struct CairnTorchError* error);
    /// The same for complete columns of a matrix that is wider than high: they become rows. `in`
    /// contains `columns` (of openSpectrum) rows of `width` elements.
    int (*addTransposed)(struct CairnTorchSpectrum* spectrum, const struct CairnElements* in,
                         uint64_t width, struct CairnTorchError* error);
    /// In descending order; `count` is the capacity of `values`. Sets *found to their number.
    int (*finishSpectrum)(struct CairnTorchSpectrum* spectrum, double* values, uint64_t count,
                          uint64_t* found, struct CairnTorchError* error);
    void (*closeSpectrum)(struct CairnTorchSpectrum* spectrum);

    int (*openSimilarity)(const char* device, const struct CairnMatrices* matrices,
                          struct CairnTorchSimilarity** similarity, struct CairnTorchError* error);
    /// The next `leftCount` and `rightCount` columns; for rows both are the same number.
    int (*addBlocks)(struct CairnTorchSimilarity* similarity, const struct CairnElements* left,
                     uint64_t leftCount, const struct CairnElements* right, uint64_t rightCount,
                     struct CairnTorchError* error);
    /// Linear CKA (Kornblith et al. 2019), within [0, 1]; NaN if a side is constant.
    int (*finishSimilarity)(struct CairnTorchSimilarity* similarity, double* cka,
                            struct CairnTorchError* error);
    void (*closeSimilarity)(struct CairnTorchSimilarity* similarity);
};

/// The only symbol that the module exports. The table is valid while the module is open.
typedef const struct CairnTorchModule* (*CairnTorchModuleFunction)(void);
#define CAIRN_TORCH_SYMBOL "cairnTorchModule"
}

// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The C interface between Cairn and its libtorch module: plain data and functions, so that the
/// module may be built with another compiler or C++ runtime than the program. Nothing of Cairn is
/// included here or in the module: it builds with a C++20 compiler and libtorch alone.
///
/// Elements are dense and little-endian, in buffers of the caller. A function returns 0, or another
/// number and a sentence in `error`; no exception leaves the module. What the functions compute is
/// what core/compute's own kernels compute: casts and their like to the last bit, counts exactly,
/// sums within the accuracy of core/compute/element_statistics.h.
#include <stddef.h>
#include <stdint.h>

extern "C" {

/// Raised whenever this header changes; a module of another number is refused.
enum { kCairnTorchAbi = 2 };

struct CairnTorchError {
    int code; ///< CairnTorchFailure
    char text[1024];
};
enum CairnTorchFailure {
    kCairnTorchFailed = 1,
    kCairnTorchOutOfMemory = 2, ///< of the device or the machine
    kCairnTorchNoDevice = 3,
};

/// How elements are stored. Everything of one byte goes by a table.
enum CairnTorchKind {
    kCairnTable8, ///< an index into the table of 256 numbers
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
    const uint32_t* table; ///< of kCairnTable8: 256 float32 as their bits; else null
};

/// The scales of quantised elements that are in a box of a tensor. Element i of the box, in C
/// order, is multiplied with the scale of the block that it is in.
struct CairnScales {
    const float* values; ///< in C order, of the grid of all the tensor's blocks
    uint64_t count;
    size_t rank;           ///< of the four that follow
    const int64_t* origin; ///< of the box
    const int64_t* extent;
    const int64_t* block; ///< elements that one scale stands for
    const int64_t* grid;  ///< blocks of the tensor
    uint64_t first;       ///< the first element that is asked for, counted in the box
};

/// The fields of ElementStatistics.
struct CairnStatistics {
    uint64_t count, nan, inf, zeros;
    double min, max, mean, m2, l1, sumSquares;
};

/// A float format to be rounded to, as FloatForm in core/compute/decode.cpp has it.
struct CairnFloatForm {
    int digits; ///< of precision, with the leading one; 0: not asked for
    int lowest; ///< exponent of the smallest normal number
    double largest;
    double beyond; ///< what is larger becomes
};

struct CairnCompareOptions {
    double rtol, atol;
    int sameDtype;
    struct CairnFloatForm narrow; ///< counts what differs once both sides are rounded to it
};

/// The fields of ElementComparison.
struct CairnComparison {
    uint64_t count, changed, beyond, nonfinite, changedAfterCast;
    int identical;
    double maxAbs, sumAbs, sumSquares, leftSquares, rightSquares, dot;
};

/// A device with its streams and pinned buffers. One thread at a time; several lanes of a device
/// work side by side.
struct CairnTorchLane;

/// Singular values of a matrix that comes in blocks of rows; of one wider than high, give its
/// transpose.
struct CairnTorchSpectrum;

/// How similar two matrices of equally many rows are, which come in blocks of complete rows or of
/// whole columns.
struct CairnTorchSimilarity;

struct CairnTorchModule {
    int abi;
    const char* torchVersion; ///< belongs to the module
    /// CUDA devices that libtorch can use; 0 with the reason in `why` (may be empty).
    int (*cudaDevices)(struct CairnTorchError* why);

    /// `device`: "cpu" or "cuda:N". Work is cut into slices of about `sliceBytes`, which is what a
    /// pinned buffer holds; a lane has two each way.
    int (*openLane)(const char* device, uint64_t sliceBytes, struct CairnTorchLane** lane,
                    struct CairnTorchError* error);
    void (*closeLane)(struct CairnTorchLane* lane);
    /// Rate of copies from pinned memory to the device, measured now.
    int (*measureLink)(struct CairnTorchLane* lane, uint64_t bytes, double* bytesPerSecond,
                       struct CairnTorchError* error);

    /// `to` is one of the kinds Float16, Bfloat16, Float32, Float64. Buffers must not overlap.
    int (*cast)(struct CairnTorchLane* lane, const struct CairnElements* in, uint64_t count, int to,
                void* out, struct CairnTorchError* error);
    int (*dequantize)(struct CairnTorchLane* lane, const struct CairnElements* in, uint64_t count,
                      const struct CairnScales* scales, int to, void* out,
                      struct CairnTorchError* error);
    /// Sum of weight times element over the terms, in order, divided by the sum of the weights.
    int (*average)(struct CairnTorchLane* lane, const struct CairnElements* terms,
                   const double* weights, size_t termCount, uint64_t count, int to, void* out,
                   struct CairnTorchError* error);
    int (*statistics)(struct CairnTorchLane* lane, const struct CairnElements* in, uint64_t count,
                      struct CairnStatistics* out, struct CairnTorchError* error);
    /// Two real sides, or two complex ones.
    int (*compare)(struct CairnTorchLane* lane, const struct CairnElements* left,
                   const struct CairnElements* right, uint64_t count,
                   const struct CairnCompareOptions* options, struct CairnComparison* out,
                   struct CairnTorchError* error);

    /// Memory: about 24 bytes for each of columns² (a triangle, a block and libtorch's own).
    int (*openSpectrum)(const char* device, uint64_t columns, struct CairnTorchSpectrum** spectrum,
                        struct CairnTorchError* error);
    int (*addRows)(struct CairnTorchSpectrum* spectrum, const struct CairnElements* in,
                   uint64_t rows, struct CairnTorchError* error);
    /// The same of whole columns of the matrix that is wider than high: they are rows here. `in`
    /// holds `columns` (of openSpectrum) rows of `width` elements.
    int (*addTransposed)(struct CairnTorchSpectrum* spectrum, const struct CairnElements* in,
                         uint64_t width, struct CairnTorchError* error);
    /// Falling; `count` is what `values` has room for. Sets *found to how many there are.
    int (*finishSpectrum)(struct CairnTorchSpectrum* spectrum, double* values, uint64_t count,
                          uint64_t* found, struct CairnTorchError* error);
    void (*closeSpectrum)(struct CairnTorchSpectrum* spectrum);

    /// `byColumns`: blocks hold whole columns, memory 16 bytes for each of rows²; otherwise whole
    /// rows, 8 bytes for each of leftColumns², rightColumns² and their product.
    int (*openSimilarity)(const char* device, int byColumns, uint64_t rows, uint64_t leftColumns,
                          uint64_t rightColumns, struct CairnTorchSimilarity** similarity,
                          struct CairnTorchError* error);
    /// The next `leftCount` and `rightCount` columns; of rows both are the same number.
    int (*addBlocks)(struct CairnTorchSimilarity* similarity, const struct CairnElements* left,
                     uint64_t leftCount, const struct CairnElements* right, uint64_t rightCount,
                     struct CairnTorchError* error);
    /// Linear CKA (Kornblith et al. 2019), within [0, 1]; NaN when a side is constant.
    int (*finishSimilarity)(struct CairnTorchSimilarity* similarity, double* cka,
                            struct CairnTorchError* error);
    void (*closeSimilarity)(struct CairnTorchSimilarity* similarity);
};

/// The one symbol that the module exports. The table lives as long as the module is open.
typedef const struct CairnTorchModule* (*CairnTorchModuleFunction)(void);
#define CAIRN_TORCH_SYMBOL "cairnTorchModule"
}

// SPDX-License-Identifier: Apache-2.0
#include "core/compute/torch/element_work.h"
#include "core/compute/torch/lane.h"
#include "core/compute/torch/matrices.h"
#include "core/compute/torch/module_api.h"

#include <torch/version.h>

#include <algorithm>
#include <c10/core/InferenceMode.h>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <string_view>

/// The C functions of module_api.h: each calls the implementation and turns exceptions into text.
struct CairnTorchLane : cairn::torch_lane::Lane {
    using Lane::Lane;
};
struct CairnTorchSpectrum : cairn::torch_lane::Spectrum {
    using Spectrum::Spectrum;
};
struct CairnTorchSimilarity : cairn::torch_lane::Similarity {
    using Similarity::Similarity;
};

namespace {

using namespace cairn::torch_lane;

void setText(CairnTorchError* error, int code, std::string_view text) {
    if (error == nullptr) {
        return;
    }
    const std::size_t size = std::min(text.size(), sizeof(error->text) - 1);
    error->code = code;
    std::memcpy(error->text, text.data(), size);
    error->text[size] = '\0';
}

/// The message of a c10::Error without its backtrace.
std::string_view firstLines(std::string_view text) {
    return text.substr(0, text.find("\nException raised from"));
}

bool isOutOfMemory(std::string_view text) {
    return text.find("out of memory") != std::string_view::npos ||
           text.find("can't allocate memory") != std::string_view::npos;
}

template <class Work> int guarded(CairnTorchError* error, const Work& work) noexcept {
    try {
        const c10::InferenceMode inference;
        work();
        return 0;
    } catch (const c10::Error& caught) {
        const std::string_view text = firstLines(caught.what_without_backtrace());
        setText(error, isOutOfMemory(text) ? kCairnTorchOutOfMemory : kCairnTorchFailed, text);
    } catch (const std::bad_alloc&) {
        setText(error, kCairnTorchOutOfMemory, "out of memory");
    } catch (const std::exception& caught) {
        setText(error, kCairnTorchFailed, firstLines(caught.what()));
    } catch (...) {
        setText(error, kCairnTorchFailed, "libtorch threw a non-standard exception");
    }
    return error == nullptr ? kCairnTorchFailed : error->code;
}

template <class Work> int inLane(CairnTorchError* error, const Work& work) noexcept {
    return guarded(error, [&] {
        useOneThread();
        work();
    });
}

template <class Work> int withAllThreads(CairnTorchError* error, const Work& work) noexcept {
    return guarded(error, [&] {
        useAllThreads();
        work();
    });
}

int countDevices(CairnTorchError* why) {
    int count = 0;
    guarded(why, [&] {
        std::string text;
        count = cudaDevices(text);
        setText(why, 0, firstLines(text));
    });
    return count;
}

int openLane(const char* device, std::uint64_t sliceBytes, CairnTorchLane** lane,
             CairnTorchError* error) {
    return guarded(error, [&] {
        *lane = std::make_unique<CairnTorchLane>(deviceNamed(device), sliceBytes).release();
    });
}

void closeLane(CairnTorchLane* lane) {
    guarded(nullptr, [&] { delete lane; });
}

int measureLink(CairnTorchLane* lane, std::uint64_t bytes, double* rate, CairnTorchError* error) {
    return inLane(error, [&] { *rate = lane->measureLink(bytes); });
}

int castElements(CairnTorchLane* lane, const CairnElements* in, std::uint64_t count,
                 const CairnTarget* out, CairnTorchError* error) {
    return inLane(error, [&] { castThere(*lane, *in, count, out->kind, out->data); });
}

int dequantizeElements(CairnTorchLane* lane, const CairnElements* in, std::uint64_t count,
                       const CairnScales* scales, const CairnTarget* out, CairnTorchError* error) {
    return inLane(error,
                  [&] { dequantizeThere(*lane, *in, count, *scales, out->kind, out->data); });
}

int averageElements(CairnTorchLane* lane, const CairnTerms* terms, std::uint64_t count,
                    const CairnTarget* out, CairnTorchError* error) {
    return inLane(error, [&] {
        averageThere(*lane, {terms->elements, terms->count}, {terms->weights, terms->count}, count,
                     out->kind, out->data);
    });
}

int measureElements(CairnTorchLane* lane, const CairnElements* in, std::uint64_t count,
                    CairnStatistics* out, CairnTorchError* error) {
    return inLane(error, [&] { *out = statisticsThere(*lane, *in, count); });
}

int compareElements(CairnTorchLane* lane, const CairnSides* sides,
                    const CairnCompareOptions* options, CairnComparison* out,
                    CairnTorchError* error) {
    return inLane(error, [&] {
        *out = compareThere(*lane, sides->left, sides->right, sides->count, *options);
    });
}

int openSpectrum(const char* device, std::uint64_t columns, CairnTorchSpectrum** spectrum,
                 CairnTorchError* error) {
    return guarded(error, [&] {
        *spectrum = std::make_unique<CairnTorchSpectrum>(deviceNamed(device),
                                                         static_cast<std::int64_t>(columns))
                        .release();
    });
}

int addRows(CairnTorchSpectrum* spectrum, const CairnElements* in, std::uint64_t rows,
            CairnTorchError* error) {
    return withAllThreads(error, [&] { spectrum->addRows(*in, static_cast<std::int64_t>(rows)); });
}

int addTransposed(CairnTorchSpectrum* spectrum, const CairnElements* in, std::uint64_t width,
                  CairnTorchError* error) {
    return withAllThreads(error,
                          [&] { spectrum->addTransposed(*in, static_cast<std::int64_t>(width)); });
}

int finishSpectrum(CairnTorchSpectrum* spectrum, double* values, std::uint64_t count,
                   std::uint64_t* found, CairnTorchError* error) {
    return withAllThreads(error, [&] {
        const std::vector<double> all = spectrum->finish();
        *found = all.size();
        std::copy_n(all.begin(), std::min<std::size_t>(count, all.size()), values);
    });
}

void closeSpectrum(CairnTorchSpectrum* spectrum) {
    guarded(nullptr, [&] { delete spectrum; });
}

int openSimilarity(const char* device, const CairnMatrices* matrices,
                   CairnTorchSimilarity** similarity, CairnTorchError* error) {
    return guarded(error, [&] {
        *similarity = std::make_unique<CairnTorchSimilarity>(
                          deviceNamed(device), matrices->byColumns != 0,
                          static_cast<std::int64_t>(matrices->rows),
                          static_cast<std::int64_t>(matrices->leftColumns),
                          static_cast<std::int64_t>(matrices->rightColumns))
                          .release();
    });
}

int addBlocks(CairnTorchSimilarity* similarity, const CairnElements* left, std::uint64_t leftCount,
              const CairnElements* right, std::uint64_t rightCount, CairnTorchError* error) {
    return withAllThreads(error, [&] {
        similarity->add(*left, static_cast<std::int64_t>(leftCount), *right,
                        static_cast<std::int64_t>(rightCount));
    });
}

int finishSimilarity(CairnTorchSimilarity* similarity, double* cka, CairnTorchError* error) {
    return withAllThreads(error, [&] { *cka = similarity->finish(); });
}

void closeSimilarity(CairnTorchSimilarity* similarity) {
    guarded(nullptr, [&] { delete similarity; });
}

constexpr CairnTorchModule kModule{
    kCairnTorchAbi,  TORCH_VERSION,   countDevices,     openLane,
    closeLane,       measureLink,     castElements,     dequantizeElements,
    averageElements, measureElements, compareElements,  openSpectrum,
    addRows,         addTransposed,   finishSpectrum,   closeSpectrum,
    openSimilarity,  addBlocks,       finishSimilarity, closeSimilarity};

} // namespace

extern "C" __attribute__((visibility("default"))) const CairnTorchModule* cairnTorchModule() {
    return &kModule;
}

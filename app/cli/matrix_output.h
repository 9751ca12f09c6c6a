// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/json_writer.h"
#include "app/cli/opened.h"
#include "app/cli/session.h"
#include "core/analysis/diff.h"
#include "core/analysis/spectrum.h"

#include <optional>
#include <string>
#include <vector>

/// Output that needs the libtorch module: `stats --spectrum` and `diff --cka`.
namespace cairn::cli {

struct SpectrumRow {
    std::optional<Spectrum> spectrum; ///< empty for tensors that are not a matrix
    std::optional<Error> error;
};

/// One row per tensor, in order. Fails if the module is missing or cannot use the device.
Result<std::vector<SpectrumRow>> measureSpectra(const Opened& opened, const std::string& device,
                                                Session& session);

/// `spectrum: {rows, columns, largest, smallest, condition, effective_rank, stable_rank}`; null for
/// tensors that are not a matrix.
void writeSpectrum(JsonWriter& json, const SpectrumRow& row);
void printSpectra(const Opened& opened, const std::vector<SpectrumRow>& rows, Session& session);

struct SimilarityRow {
    std::string left;
    std::string right;
    std::optional<double> cka;
    std::optional<Error> error;
};

/// For the pairs of matrices of the same shape.
Result<std::vector<SimilarityRow>> measureSimilarity(const DiffSide& left, const DiffSide& right,
                                                     const StructureDiff& structure,
                                                     const std::string& device, Session& session);

/// `layers: [{name, right_name?, cka}]`; cka is null if all rows of a side are equal.
void writeSimilarity(JsonWriter& json, const std::vector<SimilarityRow>& rows);
void printSimilarity(const std::vector<SimilarityRow>& rows, Session& session);

/// The device that libtorch uses for these: for "auto" "cpu" if there is no other, else as
/// requested.
Result<std::string> matrixDevice(const std::string& asked);

} // namespace cairn::cli

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

/// What needs the libtorch module: `stats --spectrum` and `diff --cka`.
namespace cairn::cli {

struct SpectrumRow {
    std::optional<Spectrum> spectrum; ///< nothing of what is not a matrix
    std::optional<Error> error;
};

/// One row a tensor, in order. Fails when the module is missing or cannot use the device.
Result<std::vector<SpectrumRow>> measureSpectra(const Opened& opened, const std::string& device,
                                                Session& session);

/// `spectrum: {rows, columns, largest, smallest, condition, effective_rank, stable_rank}`; null of
/// what is not a matrix.
void writeSpectrum(JsonWriter& json, const SpectrumRow& row);
void printSpectra(const Opened& opened, const std::vector<SpectrumRow>& rows, Session& session);

struct SimilarityRow {
    std::string left;
    std::string right;
    std::optional<double> cka;
    std::optional<Error> error;
};

/// Of the pairs that are matrices of one shape.
Result<std::vector<SimilarityRow>> measureSimilarity(const DiffSide& left, const DiffSide& right,
                                                     const StructureDiff& structure,
                                                     const std::string& device, Session& session);

/// `layers: [{name, right_name?, cka}]`; cka is null where a side's rows are all the same.
void writeSimilarity(JsonWriter& json, const std::vector<SimilarityRow>& rows);
void printSimilarity(const std::vector<SimilarityRow>& rows, Session& session);

/// Which device libtorch uses for these: "cpu" of "auto" where there is no other, or as asked.
Result<std::string> matrixDevice(const std::string& asked);

} // namespace cairn::cli

// SPDX-License-Identifier: Apache-2.0
#include "app/cli/matrix_output.h"

#include "app/cli/json_output.h"
#include "app/cli/progress.h"
#include "app/cli/text_table.h"
#include "app/cli/value_text.h"
#include "core/compute/compute_backend.h"
#include "core/compute/torch_module.h"

#include <atomic>
#include <cmath>

namespace cairn::cli {
namespace {

void writeFigure(JsonWriter& json, std::string_view name, std::optional<double> value) {
    json.key(name);
    if (value && std::isfinite(*value)) {
        json.number(*value);
    } else {
        json.null();
    }
}

/// Whether an error affects all tensors instead of a single one.
bool stopsAll(const Error& error) {
    return error.code == ErrorCode::Cancelled || error.code == ErrorCode::OutOfMemory;
}

std::string cellOf(std::optional<double> value) {
    return value ? figureText(*value) : std::string("-");
}

} // namespace

Result<std::string> matrixDevice(const std::string& asked) {
    CAIRN_TRY(const TorchModuleInfo module, openTorchModule());
    if (asked == "auto") {
        return module.device;
    }
    CAIRN_TRY(const ComputeBackendPtr backend, openBackend(asked));
    const std::string_view device = backend->device();
    return std::string(device == "torch-cpu" ? "cpu" : device);
}

Result<std::vector<SpectrumRow>> measureSpectra(const Opened& opened, const std::string& device,
                                                Session& session) {
    std::atomic<std::uint64_t> done{0};
    std::uint64_t total = 0;
    for (const TensorIndex index : opened.tensors) {
        const TensorEntry& tensor = opened.checkpoint->tensor(index);
        total += matrixOf(tensor) ? tensor.bytes() : 0;
    }
    MatrixOptions options;
    options.cancel = session.cancel;
    options.progress = &done;
    CAIRN_TRY(options.device, matrixDevice(device));
    const ProgressPrinter progress(session, [&] {
        return ProgressState{"decomposing", done.load(), total};
    });
    std::vector<SpectrumRow> rows;
    for (const TensorIndex index : opened.tensors) {
        const TensorEntry& tensor = opened.checkpoint->tensor(index);
        SpectrumRow row;
        if (matrixOf(tensor)) {
            if (auto spectrum = tensorSpectrum(*opened.checkpoint, tensor, options)) {
                row.spectrum = std::move(*spectrum);
            } else if (stopsAll(spectrum.error())) {
                return std::move(spectrum).error();
            } else {
                row.error = std::move(spectrum).error();
            }
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

void writeSpectrum(JsonWriter& json, const SpectrumRow& row) {
    json.key("spectrum");
    if (row.error) {
        json.beginObject();
        json.key("error");
        writeError(json, *row.error);
        json.endObject();
        return;
    }
    if (!row.spectrum) {
        json.null();
        return;
    }
    const Spectrum& spectrum = *row.spectrum;
    json.beginObject();
    json.member("rows", spectrum.shape.rows);
    json.member("columns", spectrum.shape.columns);
    writeFigure(json, "largest", spectrum.largest());
    writeFigure(json, "smallest", spectrum.smallest());
    writeFigure(json, "condition", spectrum.condition());
    writeFigure(json, "effective_rank", spectrum.effectiveRank());
    writeFigure(json, "stable_rank", spectrum.stableRank());
    json.endObject();
}

void printSpectra(const Opened& opened, const std::vector<SpectrumRow>& rows, Session& session) {
    TextTable table({{"NAME"},
                     {"ROWS", Align::Right},
                     {"COLUMNS", Align::Right},
                     {"LARGEST", Align::Right},
                     {"SMALLEST", Align::Right},
                     {"CONDITION", Align::Right},
                     {"EFFECTIVE RANK", Align::Right},
                     {"STABLE RANK", Align::Right}});
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::string& name = opened.checkpoint->tensor(opened.tensors[i]).name;
        if (rows[i].error) {
            table.add({name, "not measured: " + rows[i].error->message.text()});
        } else if (rows[i].spectrum) {
            const Spectrum& spectrum = *rows[i].spectrum;
            table.add({name, std::to_string(spectrum.shape.rows),
                       std::to_string(spectrum.shape.columns), figureText(spectrum.largest()),
                       figureText(spectrum.smallest()), cellOf(spectrum.condition()),
                       figureText(spectrum.effectiveRank()), figureText(spectrum.stableRank())});
        }
    }
    session.out.line("");
    session.out.line("Singular values");
    table.print(session);
}

Result<std::vector<SimilarityRow>> measureSimilarity(const DiffSide& left, const DiffSide& right,
                                                     const StructureDiff& structure,
                                                     const std::string& device, Session& session) {
    const auto leftOf = [&](const TensorPair& pair) -> const TensorEntry& {
        return left.checkpoint->tensor(pair.left);
    };
    const auto rightOf = [&](const TensorPair& pair) -> const TensorEntry& {
        return right.checkpoint->tensor(pair.right);
    };
    std::vector<TensorPair> pairs;
    std::uint64_t total = 0;
    for (const TensorPair& pair : structure.pairs) {
        if (pair.sameShape && matrixOf(leftOf(pair)) && matrixOf(rightOf(pair))) {
            pairs.push_back(pair);
            total += leftOf(pair).bytes();
        }
    }
    std::atomic<std::uint64_t> done{0};
    MatrixOptions options;
    options.cancel = session.cancel;
    options.progress = &done;
    CAIRN_TRY(options.device, matrixDevice(device));
    const ProgressPrinter progress(session, [&] {
        return ProgressState{"comparing layers", done.load(), total};
    });
    std::vector<SimilarityRow> rows;
    for (const TensorPair& pair : pairs) {
        SimilarityRow row{leftOf(pair).name, rightOf(pair).name, {}, {}};
        auto cka = layerSimilarity(*left.checkpoint, leftOf(pair), *right.checkpoint, rightOf(pair),
                                   options);
        if (cka) {
            row.cka = *cka;
        } else if (stopsAll(cka.error())) {
            return std::move(cka).error();
        } else {
            row.error = std::move(cka).error();
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

void writeSimilarity(JsonWriter& json, const std::vector<SimilarityRow>& rows) {
    json.key("layers");
    json.beginArray();
    for (const SimilarityRow& row : rows) {
        json.beginObject();
        json.member("name", row.left);
        if (row.right != row.left) {
            json.member("right_name", row.right);
        }
        writeFigure(json, "cka", row.cka);
        if (row.error) {
            json.key("error");
            writeError(json, *row.error);
        }
        json.endObject();
    }
    json.endArray();
}

void printSimilarity(const std::vector<SimilarityRow>& rows, Session& session) {
    TextTable table({{"LAYER"}, {"CKA", Align::Right}});
    for (const SimilarityRow& row : rows) {
        table.add(
            {row.left, row.error ? "not compared: " + row.error->message.text() : cellOf(row.cka)});
    }
    session.out.line("");
    session.out.line("Similarity of layers (linear CKA; 1: equal up to rotation and scale)");
    table.print(session);
}

} // namespace cairn::cli

// SPDX-License-Identifier: Apache-2.0
#include "app/cli/json_output.h"
#include "app/cli/opened.h"
#include "app/cli/text_table.h"
#include "app/cli/verb.h"
#include "core/base/visible_text.h"
#include "core/model/coverage.h"

namespace cairn::cli::verb_placement {
namespace {

struct Sums {
    std::uint64_t holes = 0;
    std::uint64_t overlaps = 0;
    std::uint64_t incomplete = 0; ///< tensors with holes or overlaps
    bool exact = true;
};

void writePiece(JsonWriter& json, const Checkpoint& checkpoint, const Piece& piece) {
    json.beginObject();
    json.member("file", checkpoint.files()[piece.file.position()].path);
    json.member("file_index", piece.file.value);
    json.member("offset", piece.bytes.offset);
    json.member("length", piece.bytes.length);
    json.key("box");
    json.beginObject();
    json.key("origin");
    writeDims(json, piece.box.origin);
    json.key("extent");
    writeDims(json, piece.box.extent);
    json.endObject();
    json.member("codec", checkpoint.codecName(piece.codec));
    if (!piece.strides.empty()) {
        json.key("strides");
        writeDims(json, piece.strides);
    }
    if (checkpoint.files()[piece.file.position()].missing) {
        json.member("missing", true);
    }
    json.endObject();
}

void add(Sums& sums, const Coverage& covered) {
    sums.holes += covered.holes;
    sums.overlaps += covered.overlaps;
    sums.incomplete += covered.complete() ? 0U : 1U;
    sums.exact = sums.exact && covered.exact;
}

void writeJson(const Opened& opened, Session& session) {
    const Checkpoint& checkpoint = *opened.checkpoint;
    JsonDocument document(session.out);
    document->member("path", opened.path);
    document->member("format", checkpoint.format());
    document->key("tensors");
    document->beginArray();
    Sums sums;
    for (const TensorIndex index : opened.tensors) {
        const TensorEntry& tensor = checkpoint.tensor(index);
        const Coverage covered = readableCoverage(checkpoint, tensor);
        add(sums, covered);
        document->beginObject();
        document->member("name", tensor.name);
        document->key("shape");
        writeDims(*document, tensor.shape);
        document->member("dtype", dtypeName(tensor.dtype));
        document->key("pieces");
        document->beginArray();
        for (const Piece& piece : tensor.pieces) {
            writePiece(*document, checkpoint, piece);
        }
        document->endArray();
        if (!covered.complete()) {
            document->member("holes", covered.holes);
            document->member("overlaps", covered.overlaps);
        }
        document->endObject();
    }
    document->endArray();
    document->key("coverage");
    document->beginObject();
    document->member("holes", sums.holes);
    document->member("overlaps", sums.overlaps);
    document->member("incomplete_tensors", sums.incomplete);
    document->member("exact", sums.exact);
    document->endObject();
    document.finish();
}

void printText(const Opened& opened, Session& session) {
    const Checkpoint& checkpoint = *opened.checkpoint;
    TextTable table({{"TENSOR"},
                     {"ORIGIN"},
                     {"EXTENT"},
                     {"FILE"},
                     {"OFFSET", Align::Right},
                     {"LENGTH", Align::Right},
                     {"CODEC"}});
    Sums sums;
    for (const TensorIndex index : opened.tensors) {
        const TensorEntry& tensor = checkpoint.tensor(index);
        add(sums, readableCoverage(checkpoint, tensor));
        for (const Piece& piece : tensor.pieces) {
            const CheckpointFile& file = checkpoint.files()[piece.file.position()];
            table.add({tensor.name, formatDims(piece.box.origin), formatDims(piece.box.extent),
                       file.path + (file.missing ? " (missing)" : ""),
                       std::to_string(piece.bytes.offset), std::to_string(piece.bytes.length),
                       std::string(checkpoint.codecName(piece.codec))});
        }
    }
    table.print(session);
    if (!session.quiet) {
        session.out.line("");
        session.out.line(sums.incomplete == 0
                             ? "Every element is in exactly one readable piece"
                             : std::to_string(sums.incomplete) + " tensors not covered exactly: " +
                                   std::to_string(sums.holes) + " elements missing, " +
                                   std::to_string(sums.overlaps) + " twice");
    }
}

Result<int> run(const Arguments& arguments, Session& session) {
    CAIRN_TRY(const Opened opened, openSelected(arguments, session.cancel));
    if (session.json) {
        writeJson(opened, session);
    } else {
        printText(opened, session);
    }
    return kExitOk;
}

constexpr auto kOptions = std::to_array<Option>({kTensorGlobOption});

} // namespace

extern const Verb kVerb;
const Verb kVerb{"placement",
                 "Show which file contains which box of each tensor",
                 kTensorsPositionals,
                 kOptions,
                 {"cairn-cli placement step-400 --tensor lm_head.weight",
                  "cairn-cli placement step-400 --json",
                  "cairn-cli placement 'step-400#model.layers.0'"},
                 run,
                 {},
                 Work::Here};

} // namespace cairn::cli::verb_placement

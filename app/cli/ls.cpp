// SPDX-License-Identifier: Apache-2.0
#include "app/cli/json_output.h"
#include "app/cli/opened.h"
#include "app/cli/text_table.h"
#include "app/cli/verb.h"
#include "core/base/counted.h"
#include "core/base/visible_text.h"

#include <algorithm>

namespace cairn::cli::verb_ls {
namespace {

std::vector<std::uint32_t> filesOf(const TensorEntry& tensor) {
    std::vector<std::uint32_t> files;
    for (const Piece& piece : tensor.pieces) {
        files.push_back(piece.file.value);
    }
    std::ranges::sort(files);
    files.erase(std::unique(files.begin(), files.end()), files.end());
    return files;
}

void writeTensor(JsonWriter& json, const Checkpoint& checkpoint, const TensorEntry& tensor) {
    json.beginObject();
    json.member("name", tensor.name);
    json.member("dtype", dtypeName(tensor.dtype));
    json.key("shape");
    writeDims(json, tensor.shape);
    json.member("bytes", tensor.bytes());
    json.member("role", roleName(tensor.role));
    if (tensor.roleBasis == RoleBasis::Name) {
        json.member("role_by_name", true);
    }
    json.key("files");
    json.beginArray();
    for (const std::uint32_t file : filesOf(tensor)) {
        json.natural(file);
    }
    json.endArray();
    if (tensor.aliasOf) {
        json.member("alias_of", checkpoint.tensor(*tensor.aliasOf).name);
    }
    json.endObject();
}

void writeJson(const Opened& opened, Session& session) {
    JsonDocument document(session.out);
    const Checkpoint& checkpoint = *opened.checkpoint;
    document->member("path", opened.path);
    document->member("format", checkpoint.format());
    document->key("tensors");
    document->beginArray();
    for (const TensorIndex index : opened.tensors) {
        writeTensor(*document, checkpoint, checkpoint.tensor(index));
    }
    document->endArray();
    writeFiles(*document, "files", checkpoint);
    writeTotals(*document, "totals", totalsOf(opened));
    writeNotices(*document, "notices", checkpoint.notices());
    document.finish();
}

void printText(const Opened& opened, Session& session) {
    const Checkpoint& checkpoint = *opened.checkpoint;
    TextTable table({{"NAME"}, {"DTYPE"}, {"SHAPE"}, {"SIZE", Align::Right}, {"ROLE"}, {"FILES"}});
    for (const TensorIndex index : opened.tensors) {
        const TensorEntry& tensor = checkpoint.tensor(index);
        const auto files = filesOf(tensor);
        std::string where =
            files.size() == 1 ? checkpoint.files()[files[0]].path : counted(files.size(), "file");
        if (tensor.aliasOf) {
            where += " (same as " + checkpoint.tensor(*tensor.aliasOf).name + ")";
        }
        table.add({tensor.name, std::string(dtypeName(tensor.dtype)), formatDims(tensor.shape),
                   formatBytes(tensor.bytes()), std::string(roleName(tensor.role)), where});
    }
    table.print(session);
    if (!session.quiet) {
        const Totals sums = totalsOf(opened);
        session.out.line("");
        session.out.line(counted(sums.tensors, "tensor") + ", " + formatBytes(sums.bytes) + " in " +
                         counted(checkpoint.files().size(), "file"));
        printNotices(session, checkpoint.notices());
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
const Verb kVerb{"ls",
                 "List the tensors of a checkpoint",
                 kTensorsPositionals,
                 kOptions,
                 {"cairn-cli ls model.safetensors", "cairn-cli ls 'ckpt.pt#model.layers.0'",
                  "cairn-cli ls step-400 --tensor '*.{weight,bias}' --json"},
                 run,
                 {},
                 Work::Here};

} // namespace cairn::cli::verb_ls

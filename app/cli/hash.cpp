// SPDX-License-Identifier: Apache-2.0
#include "app/cli/json_output.h"
#include "app/cli/opened.h"
#include "app/cli/progress.h"
#include "app/cli/text_table.h"
#include "app/cli/verb.h"
#include "core/analysis/fingerprint.h"
#include "core/base/visible_text.h"

namespace cairn::cli::verb_hash {
namespace {

void writeJson(const Opened& opened, const Fingerprint& result, Session& session) {
    JsonDocument document(session.out);
    document->member("path", opened.path);
    document->member("format", opened.checkpoint->format());
    document->member("complete", completenessName(opened.checkpoint->completeness()));
    document->member("algorithm", "sha256");
    document->key("tensors");
    document->beginArray();
    for (const TensorHash& hash : result.tensors) {
        document->beginObject();
        document->member("name", opened.checkpoint->tensor(hash.tensor).name);
        document->memberOrNull("sha256", hash.error ? std::string() : hexText(hash.sha256));
        if (hash.error) {
            document->key("error");
            writeError(*document, *hash.error);
        }
        document->endObject();
    }
    document->endArray();
    document->memberOrNull("fingerprint", result.whole ? hexText(*result.whole) : std::string());
    document->member("bytes", result.bytes);
    if (result.firstError) {
        document->key("error");
        writeError(*document, *result.firstError);
    }
    document.finish();
}

void printText(const Opened& opened, const Fingerprint& result, Session& session) {
    for (const TensorHash& hash : result.tensors) {
        const std::string name = visibleText(opened.checkpoint->tensor(hash.tensor).name);
        session.out.line(
            (hash.error ? std::string("unreadable") + std::string(54, ' ') : hexText(hash.sha256)) +
            "  " + name);
    }
    if (result.whole) {
        session.out.line(hexText(*result.whole) + "  (fingerprint)");
    }
}

Result<int> run(const Arguments& arguments, Session& session) {
    CAIRN_TRY(const Opened opened, openSelected(arguments, session.cancel));
    std::atomic<std::uint64_t> done{0};
    std::uint64_t total = 0;
    for (const TensorIndex index : opened.tensors) {
        total += opened.checkpoint->tensor(index).bytes();
    }
    FingerprintOptions options{session.cancel, 0, &done};
    Result<Fingerprint> result = [&] {
        const ProgressPrinter progress(session, [&] {
            return ProgressState{"hashing", done.load(), total};
        });
        return fingerprint(*opened.checkpoint, opened.tensors, options);
    }();
    CAIRN_CHECK(result);
    if (session.json) {
        writeJson(opened, *result, session);
    } else {
        printText(opened, *result, session);
    }
    if (result->firstError) {
        session.message("cairn-cli: " + describe(*result->firstError));
        return exitCode(*result->firstError);
    }
    return coversAll(*opened.checkpoint, opened.path, arguments.text("tensor"), session)
               ? kExitOk
               : kExitDiffers;
}

constexpr auto kOptions = std::to_array<Option>({kTensorGlobOption});

} // namespace

extern const Verb kVerb;
const Verb kVerb{"hash",
                 "Hash the content of each logical tensor, independent of format and sharding",
                 kTensorsPositionals,
                 kOptions,
                 {"cairn-cli hash step-400", "cairn-cli hash model.safetensors --json",
                  "cairn-cli hash step-400 --tensor 'lm_head.*'"},
                 run};

} // namespace cairn::cli::verb_hash

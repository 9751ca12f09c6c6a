// SPDX-License-Identifier: Apache-2.0
#include "app/cli/job_output.h"
#include "app/cli/verb.h"
#include "core/jobs/engine/export_csv.h"
#include "core/jobs/prepare/prepare.h"
#include "core/plan/selection.h"

namespace cairn::cli::verb_export {
namespace {

Result<TensorIndex> onlyTensor(const Checkpoint& checkpoint, const ExportOptions& options) {
    CAIRN_TRY(const auto chosen, selectTensors(checkpoint, options.only));
    if (chosen.empty()) {
        return fail(ErrorCode::TensorNotFound, "No matching tensor")
            .butFound(verbatim(options.only.glob));
    }
    if (chosen.size() > 1) {
        return fail(ErrorCode::InvalidArgument, "A .csv file contains exactly one tensor")
            .butFound(sentence("%1 matching tensors", chosen.size()));
    }
    return chosen.front();
}

Result<int> run(const Arguments& arguments, Session& session) {
    CAIRN_TRY(const Opened source, openPath(arguments.at(0), session.cancel));
    CAIRN_TRY(const ExportOptions options, exportOptions(arguments, source));
    if (options.output.extension() == ".csv") {
        CAIRN_TRY(const TensorIndex tensor, onlyTensor(*source.checkpoint, options));
        return runJob(session, [&](FileOps& fileOps, JobContext& context) {
            return exportCsv(*source.checkpoint, tensor, options.output, fileOps, context);
        });
    }
    CAIRN_TRY(const CopyPlan plan, prepareExport(source.checkpoint, options, session.cancel));
    return runPlanned(plan, session);
}

constexpr auto kPositionals =
    std::to_array<Positional>({{"PATH", "A checkpoint, or a part of it: PATH#subtree"}});
constexpr auto kOptions = std::to_array<Option>({
    {"-t,--tensor", "GLOB", "Full names of tensors (*, ?, {a,b}); default: all"},
    {"-o,--output", "OUT", "Output file: .npy, .safetensors or .csv", true},
    kForceOption,
});

} // namespace

extern const Verb kVerb;
const Verb kVerb{"export",
                 "Write part of a checkpoint: .npy, .safetensors, .csv",
                 kPositionals,
                 kOptions,
                 {"cairn-cli export step-400 --tensor lm_head.weight -o lm_head.npy",
                  "cairn-cli export step-400 --tensor '*.norm.weight' -o norms.safetensors",
                  "cairn-cli export ckpt.pt -t model.bias -o bias.csv --json"},
                 run};

} // namespace cairn::cli::verb_export

// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/diff.h"

#include "app/cli/diff_output.h"
#include "app/cli/fold_explanation.h"
#include "app/cli/matrix_output.h"
#include "app/cli/opened.h"
#include "app/cli/progress.h"
#include "app/cli/verb.h"
#include "core/analysis/diff_rollup.h"
#include "core/base/glob.h"
#include "core/compute/device_choice.h"
#include "core/jobs/bundle/found_weights.h"

#include <atomic>
#include <charconv>
#include <cmath>

namespace cairn::cli::verb_diff {
namespace {

Result<double> toleranceOf(const Arguments& arguments, std::string_view name) {
    const auto text = arguments.text(name);
    if (!text) {
        return 0.0;
    }
    double value = 0;
    const char* end = text->data() + text->size();
    const auto [stopped, error] = std::from_chars(text->data(), end, value);
    if (error != std::errc() || stopped != end || !(value >= 0) || !std::isfinite(value)) {
        return fail(ErrorCode::InvalidArgument, "A tolerance must be a non-negative number")
            .butFound(sentence("--%1 %2", name, *text));
    }
    return value;
}

DiffSide sideOf(const Opened& opened) {
    return {opened.checkpoint, opened.tensors, opened.member};
}

/// Keeps the tensors that match the glob on either side.
Result<void> keepMatches(Difference& diff, const std::optional<std::string>& glob) {
    if (!glob) {
        return {};
    }
    CAIRN_TRY(const Glob matcher, Glob::parse(*glob));
    const auto matches = [&](const WeightValues& side, TensorIndex index) {
        const auto isWanted = [&](const std::string& name) {
            return matcher.matches(name) || name == *glob;
        };
        return isWanted(side.checkpoint()->tensor(index).name) ||
               isWanted(side.stored()->tensor(index).name);
    };
    StructureDiff& structure = diff.sides.structure;
    const WeightValues& left = diff.sides.leftWeights;
    const WeightValues& right = diff.sides.rightWeights;
    std::erase_if(structure.pairs, [&](const TensorPair& pair) {
        return !matches(left, pair.left) && !matches(right, pair.right);
    });
    std::erase_if(structure.onlyLeft, [&](TensorIndex index) { return !matches(left, index); });
    std::erase_if(structure.onlyRight, [&](TensorIndex index) { return !matches(right, index); });
    if (structure.pairs.empty() && structure.onlyLeft.empty() && structure.onlyRight.empty()) {
        return fail(ErrorCode::TensorNotFound, "No matching tensor")
            .butFound(verbatim(*glob))
            .withHint("`cairn-cli ls PATH` lists the names");
    }
    return {};
}

Result<void> compareValues(Difference& diff, const std::string& device, Session& session) {
    std::atomic<std::uint64_t> done{0};
    const Checkpoint& left = *diff.left().checkpoint;
    const Checkpoint& right = *diff.right().checkpoint;
    const std::uint64_t total = diffBytes(left, right, diff.structure().pairs);
    const ProgressPrinter progress(session, [&] {
        return ProgressState{"comparing", done.load(), total};
    });
    DiffOptions options;
    options.cancel = session.cancel;
    options.tolerance = diff.tolerance;
    options.progress = &done;
    CAIRN_TRY(options.backend, chooseBackend(device, {DeviceWork::Kind::Comparison, total, 0, 0}));
    CAIRN_TRY(diff.values, diffValues(left, right, diff.structure().pairs, options));
    return {};
}

Result<Difference> difference(const Arguments& arguments, Session& session) {
    CAIRN_TRY(const NameRules rules, NameRules::parse(arguments.text("map").value_or("")));
    Difference diff;
    CAIRN_TRY(diff.tolerance.rtol, toleranceOf(arguments, "rtol"));
    CAIRN_TRY(diff.tolerance.atol, toleranceOf(arguments, "atol"));
    diff.tolerant = arguments.has("rtol") || arguments.has("atol");
    diff.hasValues = arguments.has("values") || diff.tolerant;
    CAIRN_TRY(const Opened left, openPath(arguments.at(0), session.cancel));
    CAIRN_TRY(const Opened right, openPath(arguments.at(1), session.cancel));
    diff.leftPath = left.path;
    diff.rightPath = right.path;
    CAIRN_TRY(const WeightValues leftWeights, findWeightValues(left.checkpoint, session.cancel));
    CAIRN_TRY(const WeightValues rightWeights, findWeightValues(right.checkpoint, session.cancel));
    diff.sides = weightsDiff(sideOf(left), leftWeights, sideOf(right), rightWeights, rules);
    CAIRN_CHECK(keepMatches(diff, arguments.text("tensor")));
    if (left.whole() && right.whole() && !arguments.has("tensor")) {
        CAIRN_TRY(diff.plain, diffPlainValues(*left.checkpoint, *right.checkpoint, session.cancel));
    }
    const std::string device = arguments.text("device").value_or("auto");
    if (diff.hasValues) {
        CAIRN_CHECK(compareValues(diff, device, session));
    }
    if (arguments.has("cka")) {
        CAIRN_TRY(diff.layers,
                  measureSimilarity(diff.left(), diff.right(), diff.structure(), device, session));
    }
    diff.order = mostChangedFirst(diff.structure(), diff.values);
    return diff;
}

Result<int> run(const Arguments& arguments, Session& session) {
    if (arguments.has("explain-adapter")) {
        return explainAdapters(arguments, session);
    }
    CAIRN_TRY(const Difference diff, difference(arguments, session));
    if (session.json) {
        writeDifference(diff, session);
    } else {
        printDifference(diff, session);
    }
    for (const SimilarityRow& layer : diff.layers.value_or(std::vector<SimilarityRow>())) {
        if (layer.error) {
            session.message("cairn-cli: " + describe(*layer.error));
        }
    }
    for (const PairDiff& pair : diff.values) {
        if (pair.error) {
            session.message("cairn-cli: " + describe(*pair.error));
            return exitCode(*pair.error);
        }
    }
    bool covered = true;
    for (const auto& [side, path] :
         {std::pair(&diff.left(), &diff.leftPath), std::pair(&diff.right(), &diff.rightPath)}) {
        covered = coversAll(*side->checkpoint, *path, arguments.text("tensor"), session) && covered;
    }
    return diff.differs() || !covered ? kExitDiffers : kExitOk;
}

constexpr auto kPositionals = std::to_array<Positional>({
    {"A", "A checkpoint of any format, or a part of it: PATH#subtree"},
    {"B", "The other checkpoint, or the other part"},
});
constexpr auto kOptions = std::to_array<Option>({
    {"--values", "", "Also read both sides and compare the elements"},
    {"--rtol", "X", "Treat tensors as equal within |a - b| <= atol + rtol |b|; implies --values"},
    {"--atol", "X", "Like --rtol, for the absolute part"},
    {"--map", "RULES",
     "Map names of A to names of B: FROM=TO;…, where FROM is a prefix of a name or a regular "
     "expression"},
    kTensorGlobOption,
    {"--cka", "",
     "Also compute the similarity of matrices with the same name (linear CKA; requires the "
     "libtorch module)"},
    kDeviceOption,
    kExplainAdapterOption,
});

} // namespace

extern const Verb kVerb;
const Verb kVerb{"diff",
                 "Show the differences between two checkpoints: names, shapes, dtypes, values",
                 kPositionals,
                 kOptions,
                 {"cairn-cli diff step-100 step-200 --values",
                  "cairn-cli diff run.pt#model model.safetensors --values --rtol 1e-3 --json",
                  "cairn-cli diff base merged --explain-adapter my-lora"},
                 run};

} // namespace cairn::cli::verb_diff

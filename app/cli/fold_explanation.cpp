// SPDX-License-Identifier: Apache-2.0
#include "app/cli/fold_explanation.h"

#include "app/cli/json_output.h"
#include "app/cli/opened.h"
#include "app/cli/progress.h"
#include "app/cli/text_table.h"
#include "app/cli/transform_options.h"
#include "app/cli/value_text.h"
#include "core/base/counted.h"
#include "core/jobs/fold/explain_fold.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::cli {
namespace {

constexpr std::size_t kExplainedRows = 200;
constexpr auto kOtherOptions =
    std::to_array<std::string_view>({"values", "rtol", "atol", "map", "tensor", "cka", "device"});

constexpr std::string_view kExplained = "The difference is what folding the adapter gives";
constexpr std::string_view kNotExplained = "The difference is not what folding the adapter gives";

struct Question {
    Opened base;
    Opened merged;
    FoldExplanation answer;
};

void writeTensor(JsonWriter& json, const ExplainedTensor& tensor) {
    json.beginObject();
    json.member("name", tensor.name);
    if (!tensor.merged.empty()) {
        json.member("merged_name", tensor.merged);
    }
    json.member("verdict", foldVerdictName(tensor.verdict));
    json.key("explained");
    json.boolean(isExplained(tensor.verdict));
    json.key("target");
    json.boolean(tensor.target);
    if (tensor.factor) {
        json.member("count", tensor.elements);
        json.member("count_outside", tensor.outside);
        json.member("factor", *tensor.factor);
        json.member("residual", *tensor.residual);
    }
    if (tensor.error) {
        json.key("error");
        writeError(json, *tensor.error);
    }
    json.endObject();
}

void write(const Question& question, Session& session) {
    const FoldExplanation& answer = question.answer;
    JsonDocument document(session.out);
    JsonWriter& json = *document;
    json.member("base", question.base.path);
    json.member("merged", question.merged.path);
    writeAdapters(json, answer.adapters);
    json.key("tensors");
    json.beginArray();
    for (const ExplainedTensor& each : answer.tensors) {
        writeTensor(json, each);
    }
    json.endArray();
    json.key("findings");
    json.beginArray();
    for (const Sentence& each : answer.findings) {
        json.string(each.text());
    }
    json.endArray();
    json.key("summary");
    json.beginObject();
    json.key("explained");
    json.boolean(answer.explained());
    json.member("tensors", std::uint64_t{answer.tensors.size()});
    json.member("targets", answer.targets());
    for (std::size_t i = 0; i < kFoldVerdicts; ++i) {
        const auto verdict = static_cast<FoldVerdict>(i);
        std::string key(foldVerdictName(verdict));
        std::ranges::replace(key, ' ', '_');
        json.member(key, answer.count(verdict));
    }
    json.endObject();
    document.finish();
}

void print(const Question& question, Session& session) {
    const FoldExplanation& answer = question.answer;
    TextTable table({{"NOT EXPLAINED"},
                     {"VERDICT"},
                     {"FACTOR", Align::Right},
                     {"REST", Align::Right},
                     {"OUTSIDE", Align::Right}});
    std::size_t rows = 0;
    for (const ExplainedTensor& each : answer.tensors) {
        if (isExplained(each.verdict) || ++rows > kExplainedRows) {
            continue;
        }
        const auto number = [](const std::optional<double>& value) {
            return value ? figureText(*value) : std::string("-");
        };
        table.add({each.name, std::string(foldVerdictName(each.verdict)), number(each.factor),
                   number(each.residual), each.factor ? std::to_string(each.outside) : "-"});
    }
    if (rows > 0) {
        table.print(session);
    }
    if (rows > kExplainedRows) {
        session.out.line("… and " + std::to_string(rows - kExplainedRows) +
                         " more; --json has all");
    }
    std::string counts;
    for (std::size_t i = 0; i < kFoldVerdicts; ++i) {
        const auto verdict = static_cast<FoldVerdict>(i);
        if (const std::uint64_t count = answer.count(verdict); count > 0) {
            counts += (counts.empty() ? "" : ", ") + std::to_string(count) + " " +
                      std::string(foldVerdictName(verdict));
        }
    }
    session.out.line(counted(answer.tensors.size(), "tensor") + ", " +
                     std::to_string(answer.targets()) + " changed by the adapter: " + counts);
    for (const Sentence& each : answer.findings) {
        session.out.line(each.text());
    }
    session.out.line(answer.explained() ? kExplained : kNotExplained);
}

Result<FoldExplanation> ask(const Question& question, const Arguments& arguments,
                            Session& session) {
    CAIRN_TRY(const auto adapters, adapterMembers(arguments, "explain-adapter"));
    std::atomic<std::uint64_t> done{0};
    const std::uint64_t total = totalsOf(question.merged).bytes;
    const ProgressPrinter progress(session, [&] {
        return ProgressState{"comparing", done.load(), total};
    });
    FoldExplainOptions options;
    options.cancel = session.cancel;
    options.progress = &done;
    return explainFold({question.base.checkpoint, question.base.member},
                       {question.merged.checkpoint, question.merged.member}, adapters, options);
}

} // namespace

Result<int> explainAdapters(const Arguments& arguments, Session& session) {
    for (const std::string_view option : kOtherOptions) {
        if (arguments.has(option)) {
            return fail(ErrorCode::InvalidArgument,
                        "--explain-adapter compares all elements in its own way")
                .butFound(sentence("--%1", option));
        }
    }
    Question question;
    CAIRN_TRY(question.base, openPath(arguments.at(0), session.cancel));
    CAIRN_TRY(question.merged, openPath(arguments.at(1), session.cancel));
    CAIRN_TRY(question.answer, ask(question, arguments, session));
    if (session.json) {
        write(question, session);
    } else {
        print(question, session);
    }
    bool covered = coversAll(*question.base.checkpoint, question.base.path, {}, session);
    covered = coversAll(*question.merged.checkpoint, question.merged.path, {}, session) && covered;
    for (const ExplainedTensor& each : question.answer.tensors) {
        if (each.error) {
            std::fputs(("cairn-cli: " + describe(*each.error) + "\n").c_str(), stderr);
            return exitCode(*each.error);
        }
    }
    return question.answer.explained() && covered ? kExitOk : kExitDiffers;
}

} // namespace cairn::cli

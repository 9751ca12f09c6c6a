// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/consolidate/job_choices.h"

#include "core/base/other_machine.h"
#include "core/plan/request_fields.h"
#include "core/plan/trainers.h"
#include "ui/pages/consolidate/resume_lines.h"
#include "ui/pages/consolidate/written_formats.h"

#include <QDir>
#include <QString>
#include <QStringList>
#include <system_error>

#include <algorithm>
#include <array>
#include <utility>

namespace cairn::ui {
namespace {

constexpr std::string_view kRequire = "require";

/// The file name without the ending of a format that is written, and that ending.
std::pair<std::string, std::string> stemAndEnding(const std::filesystem::path& path) {
    std::string stem = path.filename().string();
    std::string ending;
    for (const FormatInfo* format : builtinFormats()) {
        for (const std::string_view known : format->writes.endings) {
            if (ending.empty() && stem.ends_with(known)) {
                ending = known;
            }
        }
    }
    stem.resize(stem.size() - ending.size());
    return {std::move(stem), std::move(ending)};
}

/// Of the checkpoints of an average: "average-step-100-to-step-300".
std::string averageName(const std::vector<Location>& members) {
    const std::filesystem::path& first = members.front().path();
    const std::filesystem::path& last = members.back().path();
    const auto label = [&](const std::filesystem::path& member) {
        if (first.stem() != last.stem()) {
            return member.stem().string();
        }
        const std::filesystem::path folder = member.parent_path(); // of another run
        return (folder.filename() == "checkpoints" ? folder.parent_path() : folder)
            .filename()
            .string();
    };
    return "average-" + label(first) + "-to-" + label(last);
}

const OutputTraits& traitsOf(const JobChoices& choices) {
    static const OutputTraits none;
    const FormatInfo* format = findFormat(choices.request.to);
    return format == nullptr ? none : format->writes;
}

/// Blanks around the parts of a list are not of the parts.
std::string withoutBlanks(const RequestField& field, const std::string& text) {
    if (field.join != ';') {
        return text;
    }
    QStringList parts;
    for (const QString& part :
         QString::fromStdString(text).split(QLatin1Char(';'), Qt::SkipEmptyParts)) {
        parts << part.trimmed();
    }
    parts.removeAll(QString());
    return parts.join(QLatin1Char(';')).toStdString();
}

Result<void> setTyped(JobRequest& request, const RequestField& field, const std::string& text) {
    if (auto set = field.set(request, withoutBlanks(field, text)); !set) {
        Error error = std::move(set).error();
        if (error.where.field.empty()) {
            error.where.field = "--" + std::string(field.name);
        }
        return error;
    }
    return {};
}

/// Tensors of these roles are selected and left out.
std::vector<Role> strippedRoles(const JobChoices& choices) {
    std::vector<Role> roles = choices.request.only.without;
    std::erase_if(roles, [&](Role role) { return !takes(choices, role); });
    return roles;
}

/// A training state is written whole, in the format and under the names of its trainer.
void keepForTrainer(JobRequest& request) {
    request.to.clear();
    request.only = Selection();
    request.names = JobRequest().names;
    request.family.clear();
    request.bundle = false;
    request.mustLoad = false;
    request.adapters.clear();
    request.like = Location();
    request.maxShardBytes = 0;
    request.sharding.perLayer = false;
}

/// What jobs of the request's kind, or outputs in its format, do not have.
void dropWhatDoesNotApply(JobRequest& request, const JobChoices& choices) {
    if (request.kind == JobKind::Convert) {
        keepForTrainer(request);
    } else {
        request.trainer.clear();
        request.mustResume = false;
    }
    const auto applies = [&](std::string_view name) {
        const RequestField* field = findRequestField(name);
        return field != nullptr && field->kinds.contains(request.kind);
    };
    request.bundle = request.bundle && applies("bundle");
    request.dequantize = request.dequantize && applies("dequantize");
    if (!applies("like") || (!request.bundle && request.kind != JobKind::Reshard)) {
        request.like = Location();
    }
    const FormatInfo* format = findFormat(request.to);
    if (format == nullptr || !limitsFileSize(*format) || choices.request.sharding.perLayer) {
        request.maxShardBytes = 0;
    }
}

/// What is required of a training state means nothing for a model.
void leaveTrainer(JobChoices& choices) {
    if (!choices.request.trainer.empty()) {
        choices.request.trainer.clear();
        choices.anyTrainer = false;
        chooseText(choices, kRequire, {});
    }
}

/// Outputs are written here: those of another machine's run into the home folder.
std::filesystem::path outputsBeside(const std::filesystem::path& run) {
    return isOnOtherMachine(run) ? std::filesystem::path(QDir::homePath().toStdString()) : run;
}

} // namespace

JobRequest plainRequest() {
    JobRequest request;
    request.only.kind = Selection::Kind::Weights;
    return request;
}

void chooseBundle(JobChoices& choices) {
    choices.automatic = false;
    leaveTrainer(choices);
    choices.request.bundle = true;
    choices.request.to = usualFormat().id;
}

void chooseFormat(JobChoices& choices, std::string_view id) {
    choices.automatic = false;
    leaveTrainer(choices);
    choices.request.bundle = false;
    choices.request.to = id;
}

void chooseTrainer(JobChoices& choices, std::string_view id) {
    const Trainer* trainer = findTrainer(id);
    if (trainer == nullptr) {
        return;
    }
    const std::string required =
        choices.request.trainer.empty() ? std::string() : textOf(choices, kRequire);
    chooseFormat(choices, trainer->format);
    chooseText(choices, kRequire, required);
    choices.request.trainer = trainer->id;
    choices.anyTrainer = false;
    choices.request.adapters.clear();
    choices.request.maxShardBytes = 0;
    choices.request.sharding.perLayer = false;
    if (!trainer->cutsTensors) {
        choices.request.sharding = Sharding();
    }
}

bool hasOption(const JobChoices& choices, const RequestField& field) {
    constexpr auto kExcluded = std::to_array<std::string_view>(
        {"to", "only", "strip", "names", "family", "like", "max-shard-size", "bundle", "adapter"});
    const JobKind kind = kindOf(choices);
    return field.kinds.contains(kind) &&
           (kind != JobKind::Convert ||
            std::ranges::find(kExcluded, field.name) == kExcluded.end());
}

void chooseEverything(JobChoices& choices, bool everything) {
    choices.request.only.kind = everything ? Selection::Kind::All : Selection::Kind::Weights;
    choices.typed.erase("only");
}

void chooseText(JobChoices& choices, std::string_view field, std::string text) {
    if (text.empty()) {
        const auto known = choices.typed.find(field);
        if (known != choices.typed.end()) {
            choices.typed.erase(known);
        }
    } else {
        choices.typed.insert_or_assign(std::string(field), std::move(text));
    }
}

std::string textOf(const JobChoices& choices, std::string_view field) {
    const auto known = choices.typed.find(field);
    return known == choices.typed.end() ? std::string() : known->second;
}

bool averages(const JobChoices& choices) {
    return choices.request.sources.size() > 1;
}

bool takes(const JobChoices& choices, Role role) {
    return choices.typed.contains("only") || !choices.request.only.isWeights() ||
           isDeployable(role);
}

bool strips(const JobChoices& choices, Role role) {
    const std::vector<Role>& roles = choices.request.only.without;
    return takes(choices, role) && std::ranges::find(roles, role) != roles.end();
}

Sharding shardingOf(const JobChoices& choices) {
    Sharding sharding;
    if (averages(choices)) {
        return sharding; // an average is written in one; a second job reshards it
    }
    const OutputTraits& can = traitsOf(choices);
    if (can.cutsTensors) {
        sharding.axes = choices.request.sharding.axes;
    }
    sharding.perLayer =
        choices.request.sharding.perLayer && can.splitsFiles && !choices.request.bundle;
    return sharding;
}

JobKind kindOf(const JobChoices& choices) {
    return averages(choices)                  ? JobKind::Average
           : !choices.request.trainer.empty() ? JobKind::Convert
           : shardingOf(choices).empty()      ? JobKind::Consolidate
                                              : JobKind::Reshard;
}

Result<void> checkText(const JobChoices& choices, std::string_view field) {
    const RequestField* known = findRequestField(field);
    JobRequest request = choices.request;
    return known == nullptr || textOf(choices, field).empty()
               ? Result<void>()
               : setTyped(request, *known, textOf(choices, field));
}

Result<JobRequest> requestOf(const JobChoices& choices, const std::filesystem::path& output) {
    JobRequest request = choices.request;
    request.kind = kindOf(choices);
    request.output = output;
    request.sharding = shardingOf(choices);
    request.only.without = strippedRoles(choices);
    dropWhatDoesNotApply(request, choices);
    for (const auto& [name, text] : choices.typed) {
        const RequestField* field = findRequestField(name);
        if (field != nullptr && hasOption(choices, *field)) {
            CAIRN_CHECK(setTyped(request, *field, text));
        }
    }
    const bool resumes = request.kind == JobKind::Convert; // --require: each kind has its own word
    request.mustLoad = request.mustLoad && !resumes;
    request.mustResume = request.mustResume && resumes;
    if (!request.adapters.empty() && request.kind != JobKind::Consolidate) {
        return fail(ErrorCode::InvalidArgument,
                    "Adapters cannot be folded in while averaging or resharding")
            .withHint("Fold them into one checkpoint first; the result can be resharded");
    }
    return request;
}

std::filesystem::path outputOf(const JobChoices& choices, const std::filesystem::path& run) {
    const JobRequest& request = choices.request;
    if (!request.output.empty()) {
        return request.output.path();
    }
    std::string stem = averages(choices) ? averageName(request.sources)
                                         : stemAndEnding(request.sources.front().path()).first;
    for (const RequestAdapter& adapter : request.adapters) {
        const std::filesystem::path& path = adapter.place.path();
        stem += "-" + (path.has_filename() ? path : path.parent_path()).filename().string();
    }
    const std::string runName = run.filename().string();
    if (!runName.empty() && stem != runName && !stem.starts_with(runName + "-")) {
        stem.insert(0, runName + "-");
    }
    if (kindOf(choices) == JobKind::Convert) {
        stem += "-" + request.trainer;
        stem += resumeEnding(request.trainer);
        return freeOutput(outputsBeside(run) / "resume" / stem);
    }
    const auto& endings = traitsOf(choices).endings;
    if (!request.bundle && !endings.empty()) {
        stem += endings.front();
    }
    return freeOutput(outputsBeside(run) / "deploy" / stem);
}

std::filesystem::path freeOutput(const std::filesystem::path& output) {
    const auto [stem, ending] = stemAndEnding(output);
    std::filesystem::path name = output;
    std::error_code ignored;
    for (int number = 2; std::filesystem::exists(name, ignored) && number < 10'000; ++number) {
        name = output.parent_path() / (stem + "-" + std::to_string(number) + ending);
    }
    return name;
}

} // namespace cairn::ui

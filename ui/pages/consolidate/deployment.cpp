// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/consolidate/deployment.h"

#include "core/formats/format.h"
#include "core/jobs/engine/output_place.h"
#include "core/jobs/prepare/prepare.h"
#include "core/jobs/record/layout_digest.h"
#include "core/jobs/request/job_command.h"
#include "core/plan/scaled_weights.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"

#include <algorithm>
#include <set>
#include <utility>

namespace cairn::ui {
namespace {

bool hasConfig(const CopyPlan& plan) {
    return std::ranges::any_of(plan.layout.files,
                               [](const OutputFile& file) { return file.name == "config.json"; });
}

/// Opens the members other than the shown checkpoint; returns the last one, the plan's source.
Result<CheckpointPtr> addMembers(const Recipe& recipe, const CheckpointPtr& shown,
                                 ConsolidateOptions& options, const CancelToken& cancel) {
    CheckpointPtr last = shown;
    CAIRN_TRY(const std::vector<double> weights,
              parseAverageWeights(recipe.averageWeights, recipe.average.size()));
    for (std::size_t i = 0; i < recipe.average.size(); ++i) {
        last = shown;
        if (recipe.average[i] != shown->path()) {
            CAIRN_TRY(last, openCheckpoint(recipe.average[i], cancel));
        }
        options.average.push_back({last, weights[i]});
    }
    return last;
}

Result<void> addAdapters(const Recipe& recipe, ConsolidateOptions& options,
                         const CancelToken& cancel) {
    for (const Recipe::Adapter& each : recipe.adapters) {
        CAIRN_TRY(const CheckpointPtr adapter, openCheckpoint(each.path, cancel));
        options.adapters.push_back({adapter, each.path.string(), each.scale});
    }
    return {};
}

std::filesystem::path nameFor(const std::filesystem::path& run, const CheckpointPtr& checkpoint,
                              const Recipe& recipe) {
    if (!recipe.output.empty()) {
        return recipe.output;
    }
    if (recipe.average.empty()) {
        return defaultOutput(run, checkpoint->path(), recipe.target);
    }
    const std::filesystem::path& first = recipe.average.front();
    const std::filesystem::path& last = recipe.average.back();
    const auto label = [&](const std::filesystem::path& member) {
        if (first.stem() != last.stem()) {
            return member.stem().string();
        }
        const std::filesystem::path folder = member.parent_path(); // of another run
        return (folder.filename() == "checkpoints" ? folder.parent_path() : folder)
            .filename()
            .string();
    };
    const std::string name = "average-" + label(first) + "-to-" + label(last);
    return defaultOutput(run, name, recipe.target);
}

bool hasScaledWeights(const Checkpoint& checkpoint) {
    const auto all = selectTensors(checkpoint, Selection::parse("all"));
    return all && !quantisedTensors(checkpoint, *all).empty();
}

void addPlace(Deployment::Planned& planned) {
    const CopyPlan& plan = planned.plan;
    planned.place = canonicalOutput(plan.output);
    planned.freeBytes = placeFacts(*plan.source, plan.output).freeBytes;
    std::set<std::pair<const Checkpoint*, FileIndex>> files;
    for (const SourceTensor& tensor : sourceTensors(plan)) {
        for (const Piece& piece : tensor.checkpoint->tensor(tensor.index).pieces) {
            files.emplace(tensor.checkpoint, piece.file);
        }
    }
    planned.shards = files.size();
    for (const auto& [checkpoint, file] : files) {
        planned.shardBytes += checkpoint->files()[file.position()].identity.size;
    }
}

/// The figures of the output; the rows of its tensors go, which are a large part of the memory that
/// a checkpoint of very many tensors needs.
void sumUp(Deployment::Planned& planned) {
    CopyPlan& plan = planned.plan;
    planned.tensors = plan.outputTensors();
    planned.castTensors = plan.castTensors();
    planned.digest = layoutDigest(plan);
    for (OutputFile& file : plan.layout.files) {
        planned.modelFiles += file.tensors.empty() ? 0 : 1;
        for (const TensorSegment& segment : file.tensors) {
            planned.bytesRead += segment.length;
        }
        file.tensors = std::vector<TensorSegment>(); // `= {}` would keep the memory
        file.contents = decltype(file.contents)();
    }
}

/// On a worker: finding the default output reads the disk.
Result<Deployment::Planned> planFor(const CheckpointPtr& checkpoint,
                                    const std::filesystem::path& run, Recipe recipe,
                                    const CancelToken& cancel) {
    const bool pick = recipe.target == Recipe::Target::Auto;
    if (pick) {
        recipe.target = Recipe::Target::HuggingFace;
    }
    const auto make = [&]() -> Result<Deployment::Planned> {
        CAIRN_TRY(ConsolidateOptions options,
                  consolidateOptions(recipe, nameFor(run, checkpoint, recipe)));
        CAIRN_TRY(const CheckpointPtr source, addMembers(recipe, checkpoint, options, cancel));
        CAIRN_CHECK(addAdapters(recipe, options, cancel));
        Deployment::Planned planned{{}, std::move(options), recipe.target, {}, false};
        CAIRN_TRY(planned.plan, prepareConsolidate(source, planned.options, cancel));
        planned.words = jobCommand(source->path(), planned.options);
        return planned;
    };
    CAIRN_TRY(Deployment::Planned planned, make());
    if (pick && !hasConfig(planned.plan)) {
        recipe.target = Recipe::Target::Safetensors;
        CAIRN_TRY(planned, make());
    }
    planned.scaled = hasScaledWeights(*checkpoint);
    addPlace(planned);
    sumUp(planned);
    return planned;
}

} // namespace

bool Deployment::Planned::lacks(CheckId item) const {
    return std::ranges::any_of(
        plan.checklist, [&](const ChecklistItem& each) { return each.id == item && !each.ok; });
}

Deployment::Deployment(JobController& jobController, QObject* parent)
    : QObject(parent), m_jobController(jobController) {}

void Deployment::setCheckpoint(const CheckpointPtr& checkpoint, const std::filesystem::path& run) {
    if (run != m_run) { // of another model
        m_recipe.like.clear();
    }
    m_checkpoint = checkpoint;
    m_run = run;
    m_recipe.output.clear();
    m_recipe.adapters.clear();
    m_recipe.average = std::exchange(m_toAverage, {});
    if (std::ranges::find(m_recipe.average, checkpoint->path()) == m_recipe.average.end()) {
        m_recipe.average.clear();
    }
    m_recipe.averageWeights.clear();
    countRoles();
    findAdapters();
    replan();
}

void Deployment::countRoles() {
    using Roles = std::vector<RoleContents>;
    m_counting.start(
        [checkpoint = m_checkpoint](const CancelToken& cancel) -> Result<Roles> {
            const Result<Value> values =
                checkpoint->values(cancel); // on failure the plan has the reason
            return rolesIn(*checkpoint, values ? &*values : nullptr);
        },
        [this](Result<Roles> roles) {
            if (roles) {
                m_roles = std::move(*roles);
                Q_EMIT rolesCounted();
            }
        });
}

void Deployment::findAdapters() {
    m_adapters.clear();
    if (m_checkpoint->framework() == "peft") { // an adapter itself
        m_finding.cancel();
        return;
    }
    m_finding.start(
        [checkpoint = m_checkpoint->path(), run = m_run](const CancelToken& cancel) {
            return nearbyAdapters(checkpoint, run, cancel);
        },
        [this](Result<std::vector<NearbyAdapter>> adapters) {
            if (adapters) {
                m_adapters = std::move(*adapters);
                Q_EMIT adaptersFound();
            }
        });
}

void Deployment::clear() {
    m_runner.cancel();
    m_counting.cancel();
    m_finding.cancel();
    m_roles.clear();
    m_adapters.clear();
    m_checkpoint.reset();
    m_planned.reset();
    m_error.reset();
    Q_EMIT changed();
}

void Deployment::setRecipe(const Recipe& recipe) {
    m_recipe = recipe;
    replan();
}

void Deployment::change(const std::function<void(Recipe&)>& change) {
    Recipe recipe = m_recipe;
    change(recipe);
    if (!(recipe == m_recipe)) {
        setRecipe(recipe);
    }
}

void Deployment::average(std::vector<std::filesystem::path> members) {
    const bool shown =
        m_checkpoint && std::ranges::find(members, m_checkpoint->path()) != members.end();
    if (!shown) {
        m_toAverage = std::move(members);
        return;
    }
    change([&members](Recipe& recipe) {
        recipe.average = std::move(members);
        recipe.adapters.clear();
        recipe.averageWeights.clear();
        recipe.output.clear();
    });
}

void Deployment::replan() {
    if (!m_checkpoint) {
        return;
    }
    m_planned.reset();
    m_error.reset();
    m_runner.start(
        [checkpoint = m_checkpoint, run = m_run, recipe = m_recipe](const CancelToken& cancel) {
            return planFor(checkpoint, run, recipe, cancel);
        },
        [this](Result<Planned> planned) {
            if (planned) {
                m_planned = std::move(*planned);
            } else {
                m_error = planned.error();
            }
            Q_EMIT changed();
        });
    Q_EMIT changed();
}

bool Deployment::isRunnable() const {
    return m_planned && m_planned->plan.runnable();
}

bool Deployment::isBlocked() const {
    return m_error || (m_planned && !m_planned->plan.runnable());
}

bool Deployment::isReady() const {
    return isRunnable() &&
           std::ranges::none_of(m_planned->plan.problems, [](const PlanProblem& problem) {
               return problem.severity != Severity::Info;
           });
}

QString Deployment::timeWords(const Forecast& forecast) {
    const QString time = text::estimate(forecast.seconds);
    switch (forecast.rate.origin) {
    case RateOrigin::Measured:
        return tr("%1 (measured)").arg(time);
    case RateOrigin::Inferred:
        return tr("%1 (estimated)").arg(time);
    case RateOrigin::Assumed:
        break;
    }
    return tr("%1 (assumed rate)").arg(time);
}

bool Deployment::isTaken() const {
    return m_planned && m_jobController.queue().writerOf(m_planned->place.string()).has_value();
}

QString Deployment::missingWords() const {
    const bool config = m_planned->lacks(CheckId::Config);
    const bool tokenizer = m_planned->lacks(CheckId::Tokenizer);
    return config && tokenizer ? tr("no config.json, no tokenizer")
           : config            ? tr("no config.json")
           : tokenizer         ? tr("no tokenizer")
                               : QString();
}

bool Deployment::warns() const {
    return !isPlanning() && (!isReady() || isTaken() || !missingWords().isEmpty());
}

QStringList Deployment::forecastParts() const {
    if (m_error) {
        return {text::describe(*m_error).title};
    }
    if (!m_planned) {
        return isPlanning() ? QStringList{tr("planning…")} : QStringList();
    }
    const CopyPlan& plan = m_planned->plan;
    if (isTaken()) {
        return {tr("A job is writing %1").arg(text::fromPath(plan.output.filename()))};
    }
    if (!isReady()) {
        const auto worst = std::ranges::max_element(plan.problems, {}, &PlanProblem::severity);
        return {text::describe(*worst).title};
    }
    const std::size_t models = m_planned->modelFiles;
    const auto others = static_cast<int>(plan.forecast.files - models);
    QString files =
        (m_planned->shards == 1 ? tr("1 file")
                                : tr("%Ln shards", nullptr, static_cast<int>(m_planned->shards))) +
        QStringLiteral(" → ") + tr("%Ln model files", nullptr, static_cast<int>(models));
    if (others > 0) {
        files += tr(" (+%L1)").arg(others);
    }
    QStringList parts{missingWords(), files, text::bytes(plan.forecast.bytes),
                      tr("%1 memory").arg(text::bytes(plan.forecast.memoryBytes)),
                      text::estimate(plan.forecast.seconds)};
    if (m_planned->freeBytes) {
        parts << tr("%1 free").arg(text::bytes(*m_planned->freeBytes));
    }
    parts.removeAll(QString());
    return parts;
}

QString Deployment::forecastTip() const {
    QStringList parts = forecastParts();
    const QString time = m_planned ? text::estimate(m_planned->plan.forecast.seconds) : QString();
    if (const qsizetype at = parts.indexOf(time); at >= 0) {
        parts[at] = timeWords(m_planned->plan.forecast);
    }
    QString tip = parts.join(QStringLiteral(" · "));
    if (m_planned && isReady() && !missingWords().isEmpty()) {
        tip += QLatin1Char('\n') +
               tr("from_pretrained() needs the files that are missing; see the checks.");
    }
    if (isTaken()) {
        tip += QLatin1Char('\n') + tr("Wait for that job, or choose a different output.");
    }
    return tip;
}

QString Deployment::command() const {
    return m_planned ? commandText(m_planned->words) : QString();
}

QString Deployment::shortCommand() const {
    return m_planned ? commandText(m_planned->words, m_run) : QString();
}

QString Deployment::jobTitle() const {
    const QString run = text::fromPath(m_run.filename());
    if (!m_recipe.average.empty()) {
        return tr("Average %1 of %2").arg(text::count(m_recipe.average.size()), run);
    }
    const QString what =
        run + QStringLiteral(", ") + text::fromPath(m_checkpoint->path().filename());
    return m_planned->options.sharding.empty() ? tr("Consolidate %1").arg(what)
                                               : tr("Reshard %1").arg(what);
}

Result<JobId> Deployment::start() {
    const CopyPlan& plan = m_planned->plan;
    JobRecord record;
    record.words = m_planned->words;
    record.python = pythonSnippet(plan.output, m_planned->target, plan.layout.folder);
    record.source = plan.source->path();
    record.output = plan.output;
    record.place = m_planned->place.string();
    record.omitted = plan.omitted;
    CAIRN_TRY(const JobId id,
              m_jobController.run(std::move(record), m_planned->digest, jobTitle()));
    m_recipe.output.clear();
    return id;
}

} // namespace cairn::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/consolidate/deployment.h"

#include "core/families/quantised/quantised_weights.h"
#include "core/jobs/engine/output_place.h"
#include "core/jobs/request/run_request.h"
#include "core/model/precision.h"
#include "ui/pages/consolidate/command_text.h"
#include "ui/pages/consolidate/written_formats.h"
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

bool hasScaledWeights(const Checkpoint& checkpoint) {
    const QuantisedWeights quantised(checkpoint);
    return std::ranges::any_of(quantised.all(), &QuantisedWeight::mayBeUnpacked);
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
    for (OutputFile& file : plan.layout.files) {
        planned.modelFiles += file.tensors.empty() ? 0 : 1;
        for (const TensorSegment& segment : file.tensors) {
            planned.bytesRead += segment.length;
        }
        file.tensors = std::vector<TensorSegment>(); // `= {}` would keep the memory
        file.contents = decltype(file.contents)();
    }
}

bool asksForBlocks(const JobChoices& choices) {
    const Precision* precision = precisionOf(choices.request.dtype);
    return precision != nullptr && precision->inBlocks() && formatWithBlocks() != nullptr;
}

/// `choices`: not automatic.
Result<Deployment::Planned> planChosen(const CheckpointPtr& shown, const JobChoices& choices,
                                       const std::filesystem::path& run,
                                       const CancelToken& cancel) {
    Deployment::Planned planned;
    CAIRN_TRY(planned.request, requestOf(choices, outputOf(choices, run)));
    CAIRN_TRY(const OpenedRequest opened, openRequest(planned.request, cancel, shown));
    CAIRN_TRY(PlannedJob job, planRequest(opened, cancel));
    planned.plan = std::move(job.plan);
    planned.digest = std::move(job.digest);
    return planned;
}

/// In the form that suits the checkpoint, if the user leaves it open.
Result<Deployment::Planned> planAutomatic(const CheckpointPtr& shown, JobChoices choices,
                                          const std::filesystem::path& run,
                                          const CancelToken& cancel) {
    if (asksForBlocks(choices)) {
        chooseFormat(choices, formatWithBlocks()->id);
        return planChosen(shown, choices, run, cancel);
    }
    chooseBundle(choices);
    CAIRN_TRY(Deployment::Planned planned, planChosen(shown, choices, run, cancel));
    if (!hasConfig(planned.plan)) {
        chooseFormat(choices, usualFormat().id);
        CAIRN_TRY(planned, planChosen(shown, choices, run, cancel));
    }
    return planned;
}

/// On a worker: finding the default output reads the disk.
Result<Deployment::Planned> planFor(const CheckpointPtr& shown, const JobChoices& choices,
                                    const std::filesystem::path& run, const CancelToken& cancel) {
    CAIRN_TRY(Deployment::Planned planned, choices.automatic
                                               ? planAutomatic(shown, choices, run, cancel)
                                               : planChosen(shown, choices, run, cancel));
    planned.scaled = hasScaledWeights(*shown);
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
    JobRequest& request = m_choices.request;
    if (run != m_run) { // of another model
        request.like = Location();
    }
    m_checkpoint = checkpoint;
    m_run = run;
    request.output = Location();
    request.adapters.clear();
    const std::vector<std::filesystem::path> members = std::exchange(m_toAverage, {});
    if (std::ranges::find(members, checkpoint->path()) != members.end()) {
        request.sources.assign(members.begin(), members.end());
    } else {
        request.sources = {checkpoint->path()};
    }
    m_choices.typed.erase("weights");
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

void Deployment::setChoices(const JobChoices& choices) {
    m_choices = choices;
    replan();
}

void Deployment::change(const ChoiceChange& change) {
    JobChoices choices = m_choices;
    change(choices);
    if (m_checkpoint && choices.request.sources.empty()) {
        choices.request.sources = {m_checkpoint->path()};
    }
    if (!(choices == m_choices)) {
        setChoices(choices);
    }
}

void Deployment::average(std::vector<std::filesystem::path> members) {
    const bool shown =
        m_checkpoint && std::ranges::find(members, m_checkpoint->path()) != members.end();
    if (!shown) {
        m_toAverage = std::move(members);
        return;
    }
    change([&members](JobChoices& choices) {
        choices.request.sources.assign(members.begin(), members.end());
        choices.request.adapters.clear();
        choices.request.output = Location();
        choices.typed.erase("weights");
    });
}

void Deployment::replan() {
    if (!m_checkpoint) {
        return;
    }
    m_planned.reset();
    m_error.reset();
    m_runner.start(
        [checkpoint = m_checkpoint, run = m_run, choices = m_choices](const CancelToken& cancel) {
            return planFor(checkpoint, choices, run, cancel);
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
    return m_planned ? commandText(m_planned->request) : QString();
}

QString Deployment::shortCommand() const {
    return m_planned ? commandText(m_planned->request, m_run) : QString();
}

QString Deployment::jobTitle() const {
    const QString run = text::fromPath(m_run.filename());
    const JobRequest& request = m_planned->request;
    if (request.kind == JobKind::Average) {
        return tr("Average %1 of %2").arg(text::count(request.sources.size()), run);
    }
    const QString what =
        run + QStringLiteral(", ") + text::fromPath(m_checkpoint->path().filename());
    return request.kind == JobKind::Reshard ? tr("Reshard %1").arg(what)
                                            : tr("Consolidate %1").arg(what);
}

Result<JobId> Deployment::start() {
    const CopyPlan& plan = m_planned->plan;
    JobRecord record;
    record.request = m_planned->request;
    record.python = pythonSnippet(m_planned->request, plan.layout.folder);
    record.source = plan.source->path();
    record.output = plan.output;
    record.place = m_planned->place.string();
    record.omitted = plan.omitted;
    CAIRN_TRY(const JobId id,
              m_jobController.run(std::move(record), m_planned->digest, jobTitle()));
    m_choices.request.output = Location();
    return id;
}

} // namespace cairn::ui

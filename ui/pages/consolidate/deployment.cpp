// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/consolidate/deployment.h"

#include "core/jobs/prepare.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"

#include <algorithm>

namespace cairn::ui {
namespace {

bool hasConfig(const CopyPlan& plan) {
    return std::ranges::any_of(plan.layout.files,
                               [](const OutputFile& file) { return file.name == "config.json"; });
}

/// On a worker: the default output has to look at the disk.
Result<Deployment::Planned> planFor(const CheckpointPtr& checkpoint,
                                    const std::filesystem::path& run, Recipe recipe,
                                    const CancelToken& cancel) {
    const bool pick = recipe.target == Recipe::Target::Auto;
    if (pick) {
        recipe.target = Recipe::Target::HuggingFace;
    }
    const auto make = [&]() -> Result<Deployment::Planned> {
        const std::filesystem::path output =
            recipe.output.empty() ? defaultOutput(run, checkpoint->path(), recipe.target)
                                  : recipe.output;
        Deployment::Planned planned{{}, consolidateOptions(recipe, output), recipe.target};
        CAIRN_TRY(planned.plan, prepareConsolidate(checkpoint, planned.options, cancel));
        return planned;
    };
    CAIRN_TRY(Deployment::Planned planned, make());
    if (pick && !hasConfig(planned.plan)) {
        recipe.target = Recipe::Target::Safetensors;
        return make();
    }
    return planned;
}

} // namespace

Deployment::Deployment(Services& services, QObject* parent)
    : QObject(parent), m_services(services) {}

void Deployment::setCheckpoint(const CheckpointPtr& checkpoint, const std::filesystem::path& run) {
    m_checkpoint = checkpoint;
    m_run = run;
    m_recipe.output.clear();
    replan();
}

void Deployment::clear() {
    m_runner.cancel();
    m_checkpoint.reset();
    m_planned.reset();
    m_error.reset();
    Q_EMIT changed();
}

void Deployment::setRecipe(const Recipe& recipe) {
    m_recipe = recipe;
    replan();
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

bool Deployment::isReady() const {
    return isRunnable() &&
           std::ranges::none_of(m_planned->plan.problems, [](const PlanProblem& problem) {
               return problem.severity != Severity::Info;
           });
}

QString Deployment::forecastLine() const {
    if (m_error) {
        return text::describe(*m_error).title;
    }
    if (!m_planned) {
        return isPlanning() ? tr("working out what it takes…") : QString();
    }
    const CopyPlan& plan = m_planned->plan;
    if (!isReady()) {
        const auto worst = std::ranges::max_element(plan.problems, {}, &PlanProblem::severity);
        return text::describe(*worst).title;
    }
    const auto shards = std::ranges::count_if(
        m_checkpoint->files(), [](const CheckpointFile& file) { return !file.source; });
    return QStringList{tr("%n files", nullptr, static_cast<int>(shards)) + QStringLiteral(" → ") +
                           tr("%n files", nullptr, static_cast<int>(plan.forecast.files)),
                       text::bytes(plan.forecast.bytes),
                       tr("%1 memory").arg(text::bytes(plan.forecast.memoryBytes)),
                       text::estimate(plan.forecast.seconds)}
        .join(QStringLiteral(" · "));
}

QString Deployment::command() const {
    return m_planned ? consolidateCommand(m_checkpoint->path(), m_planned->options) : QString();
}

QString Deployment::shortCommand() const {
    return m_planned ? consolidateCommand(m_checkpoint->path(), m_planned->options, m_run)
                     : QString();
}

JobId Deployment::start() {
    auto record = std::make_shared<JobRecord>();
    auto plan = std::make_shared<const CopyPlan>(m_planned->plan);
    record->command = command();
    record->python = pythonSnippet(plan->output, m_planned->target, plan->layout.folder);
    record->source = m_checkpoint->path();
    record->output = plan->output;
    const std::string title = "Consolidate " + m_run.filename().string() + ", " +
                              m_checkpoint->path().filename().string();
    const JobId id = m_services.jobs->submit(
        title, [plan, record, fileOps = m_services.fileOps](JobContext& context) -> Result<void> {
            CAIRN_TRY(JobReport report, runPlan(*plan, *fileOps, context));
            record->report = std::move(report);
            return {};
        });
    m_records[id] = record;
    m_recipe.output.clear();
    Q_EMIT started(id);
    return id;
}

JobId Deployment::verifyAgain(const JobRecord& record) {
    auto again = std::make_shared<JobRecord>();
    again->command = QStringLiteral("cairn-cli verify ") +
                     shellQuoted(QString::fromLocal8Bit(record.output.c_str()));
    again->python = record.python;
    again->source = record.source;
    again->output = record.output;
    const JobId id = m_services.jobs->submit(
        "Verify " + record.output.filename().string(),
        [again](JobContext& context) -> Result<void> {
            CAIRN_TRY(VerifyResult result, verifyAgainstManifest(again->output, context));
            again->check = std::move(result);
            return {};
        });
    m_records[id] = again;
    Q_EMIT started(id);
    return id;
}

std::shared_ptr<const JobRecord> Deployment::record(JobId id) const {
    const auto found = m_records.find(id);
    return found != m_records.end() ? found->second : nullptr;
}

} // namespace cairn::ui

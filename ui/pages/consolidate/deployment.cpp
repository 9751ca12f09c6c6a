// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/consolidate/deployment.h"

#include "core/jobs/engine/output_place.h"
#include "ui/pages/consolidate/command_text.h"
#include "ui/pages/consolidate/resume_lines.h"
#include "ui/pages/consolidate/serve_commands.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"

#include <algorithm>
#include <utility>

namespace cairn::ui {
namespace {

constexpr int kCompareMs = 2000;

} // namespace

Deployment::Deployment(JobController& jobController, QObject* parent)
    : QObject(parent), m_jobController(jobController) {
    m_watch.setInterval(kCompareMs);
    connect(&m_watch, &QTimer::timeout, this, &Deployment::comparePlaces);
    connect(&m_values, &ValueCheck::changed, this, &Deployment::changed);
}

void Deployment::setCheckpoint(const CheckpointPtr& checkpoint, const std::filesystem::path& run) {
    JobRequest& request = m_choices.request;
    if (run != m_run) { // of another model
        request.like = Location();
    }
    m_checkpoint = checkpoint;
    m_run = run;
    request.output = Location();
    request.adapters.clear();
    m_choices.adapterUse = AdapterUse::Auto;
    m_choices.base.clear();
    m_choices.ownScale = 1;
    m_values.setCheckpoint(checkpoint);
    const std::vector<std::filesystem::path> members = std::exchange(m_toAverage, {});
    if (std::ranges::find(members, checkpoint->path()) != members.end()) {
        request.sources.assign(members.begin(), members.end());
    } else {
        request.sources = {checkpoint->path()};
    }
    m_choices.typed.erase("weights");
    m_offers.clear();
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
        [checkpoint = m_checkpoint,
         run = m_run](const CancelToken& cancel) -> Result<std::vector<NearbyAdapter>> {
            CAIRN_TRY(std::vector<NearbyAdapter> found,
                      nearbyAdapters(checkpoint->path(), run, cancel));
            return fittingAdapters(std::move(found), checkpoint, cancel);
        },
        [this](Result<std::vector<NearbyAdapter>> adapters) {
            if (adapters) {
                m_adapters = std::move(*adapters);
                Q_EMIT adaptersFound();
            }
        });
}

void Deployment::clear() {
    m_watch.stop();
    m_looking.cancel();
    m_comparing.cancel();
    m_outlook.reset();
    m_values.setCheckpoint(nullptr);
    m_runner.cancel();
    m_counting.cancel();
    m_finding.cancel();
    m_roles.clear();
    m_adapters.clear();
    m_offers.clear();
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
    m_watch.stop();
    m_looking.cancel();
    m_comparing.cancel();
    m_runner.start(
        [checkpoint = m_checkpoint, run = m_run, choices = m_choices, known = m_offers](
            const CancelToken& cancel) { return planFor(checkpoint, choices, run, known, cancel); },
        [this](Result<Planned> planned) {
            if (planned) {
                m_planned = std::move(*planned);
                m_values.setRead(m_planned->read);
                m_offers = m_planned->offers.empty() ? m_offers : m_planned->offers;
            } else {
                m_error = planned.error();
            }
            m_watch.start();
            findOutlook();
            Q_EMIT changed();
        });
    Q_EMIT changed();
}

void Deployment::setWatched(bool watched) {
    m_watched = watched;
    if (watched && !m_outlook && !isPlanning() && m_checkpoint) {
        findOutlook();
    }
}

/// What is not needed for a click is found out after the plan, and only while it is looked at.
void Deployment::findOutlook() {
    m_outlook.reset();
    if (!m_watched || averages(m_choices)) {
        m_looking.cancel();
        return;
    }
    JobChoices choices = m_choices;
    if (m_planned && m_planned->adapter) { // as the plan found it
        choices.base = m_planned->adapter->base;
        choices.adapterUse = m_planned->adapter->folds ? AdapterUse::Fold : AdapterUse::Alone;
    }
    m_looking.start(
        [checkpoint = m_checkpoint, run = m_run, choices,
         known = m_offers](const CancelToken& cancel) {
            return outlookFor(checkpoint, choices, run, known, cancel);
        },
        [this](Result<Outlook> outlook) {
            if (outlook) {
                m_outlook = std::move(*outlook);
                m_offers = m_outlook->offers;
                Q_EMIT outlookChanged();
            }
        });
}

/// An output of that name, or the lack of the source, is noticed before a click.
void Deployment::comparePlaces() {
    if (!m_planned || isPlanning() || isTaken() || m_comparing.isRunning()) {
        return;
    }
    using Seen = std::pair<bool, bool>;
    const CopyPlan& plan = m_planned->plan;
    const Seen known(m_planned->sourceMissing, m_planned->outputExists);
    m_comparing.start(
        [source = plan.source, output = plan.output](const CancelToken&) -> Result<Seen> {
            const PlanFacts facts = placeFacts(*source, output);
            return Seen(!facts.missingSource.empty(), facts.outputExists);
        },
        [this, known](const Result<Seen>& seen) {
            if (seen && *seen != known) {
                replan();
            }
        });
}

QString Deployment::subject() const {
    if (m_checkpoint == nullptr) {
        return {};
    }
    const QString name = text::fromPath(m_checkpoint->path().filename());
    const QString run = text::fromPath(m_run.filename());
    return run.isEmpty() ? name : run + QStringLiteral(", ") + name;
}

bool Deployment::isRunnable() const {
    return m_planned && m_planned->plan.runnable();
}

bool Deployment::isBlocked() const {
    return m_error || (m_planned && !m_planned->plan.runnable());
}

bool Deployment::isReady() const {
    if (!isRunnable() || m_values.fault() != nullptr) {
        return false;
    }
    const auto& training = m_planned->plan.training;
    const bool resumes = training && isExact(training->lost); // its losses are shown, and expected
    return std::ranges::none_of(m_planned->plan.problems, [&](const PlanProblem& problem) {
        const bool isExpected = resumes && problem.code == ErrorCode::MissingState;
        return problem.severity != Severity::Info && !isExpected;
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
    const bool config = m_planned->lacks(CheckId::Config) && !m_planned->hasConfig;
    const bool tokenizer = m_planned->lacks(CheckId::Tokenizer);
    return config && tokenizer ? tr("no config.json, no tokenizer")
           : config            ? tr("no config.json")
           : tokenizer         ? tr("no tokenizer")
                               : QString();
}

bool Deployment::warns() const {
    return !isPlanning() && m_checkpoint && (!isReady() || isTaken() || !missingWords().isEmpty());
}

bool Deployment::isRefused() const {
    return !isPlanning() && m_checkpoint && !isReady();
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
    if (const Notice* fault = m_values.fault(); fault != nullptr && plan.runnable()) {
        const QString title = text::describe(fault->error).title;
        const std::string& tensor = fault->error.where.tensor;
        return {tensor.empty() ? title : tr("%1: %2").arg(title, text::fromCore(tensor))};
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
    const QString what = subject();
    if (m_planned->adapter && m_planned->adapter->folds) {
        return tr("Fold %1 into %2").arg(what, text::fromPath(m_planned->adapter->base.filename()));
    }
    if (request.kind == JobKind::Convert) {
        return tr("Convert %1 for %2").arg(what, trainerTitle(request.trainer));
    }
    return request.kind == JobKind::Reshard ? tr("Reshard %1").arg(what)
                                            : tr("Consolidate %1").arg(what);
}

Result<JobId> Deployment::start() {
    const CopyPlan& plan = m_planned->plan;
    JobRecord record;
    record.request = m_planned->request;
    record.request->force = record.request->force || m_values.fault() != nullptr;
    record.source = plan.source->path();
    record.shown = m_checkpoint->path();
    record.subject = subject();
    record.isAdapter = m_planned->adapter && !m_planned->adapter->folds;
    record.loads = m_planned->verdict.state == LoadVerdict::State::Loads || plan.training;
    record.commands = serveCommands(m_planned->request, plan.layout.folder, record.isAdapter);
    record.output = plan.output;
    record.place = m_planned->place.string();
    record.omitted = plan.omitted;
    CAIRN_TRY(const JobId id,
              m_jobController.run(std::move(record), m_planned->digest, jobTitle()));
    m_choices.request.output = Location();
    return id;
}

} // namespace cairn::ui

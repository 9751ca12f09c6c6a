// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/consolidate/job_desk.h"

#include "core/jobs/job_recovery.h"
#include "core/jobs/listed_run.h"
#include "ui/pages/consolidate/recipe.h"
#include "ui/text/plain_text.h"

#include <algorithm>
#include <string_view>

namespace cairn::ui {
namespace {

constexpr std::string_view kOutput = "--output=";

/// Of a command that was recorded elsewhere: the values of --to and --bundle.
Recipe::Target targetOf(const std::vector<std::string>& words) {
    Recipe::Target target = Recipe::Target::Safetensors;
    for (const std::string& word : words) {
        target = word == "--to=torch" ? Recipe::Target::Torch
                 : word == "--to=dcp" ? Recipe::Target::Dcp
                 : word == "--to=npz" ? Recipe::Target::Npz
                 : word == "--bundle" ? Recipe::Target::HuggingFace
                                      : target;
    }
    return target;
}

std::shared_ptr<JobRecord> recordFor(std::vector<std::string> words) {
    auto record = std::make_shared<JobRecord>();
    record->command = commandText(words);
    for (const std::string& word : words) {
        if (word.starts_with(kOutput)) {
            record->output = word.substr(kOutput.size());
        }
    }
    record->python =
        pythonSnippet(record->output, targetOf(words), !record->output.has_extension());
    record->words = std::move(words);
    return record;
}

} // namespace

JobDesk::JobDesk(Services& services, QObject* parent) : QObject(parent), m_services(services) {}

JobId JobDesk::submit(const std::shared_ptr<JobRecord>& record, const std::string& title,
                      JobQueue::Work work) {
    const JobId id = m_services.jobs->submit(title, std::move(work));
    m_records[id] = record;
    Q_EMIT started(id);
    return id;
}

JobId JobDesk::run(std::shared_ptr<const CopyPlan> plan, std::vector<std::string> words,
                   const QString& title, const QString& python) {
    auto record = recordFor(std::move(words));
    record->python = python;
    record->source = plan->source->path();
    record->output = plan->output;
    record->omitted = plan->omitted;
    return submit(
        record, title.toStdString(),
        [plan = std::move(plan), record,
         fileOps = m_services.fileOps](JobContext& context) -> Result<void> {
            CAIRN_TRY(record->report, runListed(*plan, {record->words, {}}, *fileOps, context));
            return {};
        });
}

JobQueue::Work JobDesk::workOf(const std::shared_ptr<JobRecord>& record, const std::string& digest,
                               JobPart part) const {
    return [record, digest, part, plan = m_services.planCommand,
            fileOps = m_services.fileOps](JobContext& context) -> Result<void> {
        context.setPhase(JobPhase::Checking);
        CAIRN_TRY(const CopyPlan made, plan(record->words, context.token()));
        ListedOptions options{record->words, digest};
        options.engine.part = part;
        CAIRN_TRY(record->report, runListed(made, options, *fileOps, context));
        return {};
    };
}

JobId JobDesk::resume(const StartedJob& job) {
    const auto record = recordFor(job.command);
    record->output = job.output;
    record->resumed = true;
    const QString title = tr("Resume %1").arg(text::fromPath(job.output.filename()));
    return submit(
        record, title.toStdString(),
        [record, job, fileOps = m_services.fileOps,
         again = workOf(record, job.digest, job.part)](JobContext& context) -> Result<void> {
            if (!isPublished(job)) {
                return again(context);
            }
            CAIRN_TRY(record->report, finishPublished(*fileOps, job, context));
            return {};
        });
}

void JobDesk::runAgain(JobId id) {
    const auto before = record(id);
    const auto shot = m_services.jobs->snapshot(id);
    if (!before || !shot || !canResume()) {
        return;
    }
    m_naming.start(
        [output =
             before->output](const CancelToken&) -> Result<std::filesystem::path> { // on a worker
            return freeOutput(output);
        },
        [this, before, title = shot->title](Result<std::filesystem::path> output) {
            if (!output) {
                return;
            }
            std::vector<std::string> words = before->words;
            const auto named = std::ranges::find_if(
                words, [](const std::string& word) { return word.starts_with(kOutput); });
            if (named != words.end()) {
                *named = std::string(kOutput) + output->string();
            }
            const auto record = recordFor(std::move(words));
            record->source = before->source;
            submit(record, title, workOf(record, {}, {}));
        });
}

JobId JobDesk::verifyAgain(const JobRecord& record) {
    const auto again = recordFor({"verify", record.output.string()});
    again->python = record.python;
    again->source = record.source;
    again->output = record.output;
    const QString title = tr("Verify %1").arg(text::fromPath(record.output.filename()));
    return submit(again, title.toStdString(), [again](JobContext& context) -> Result<void> {
        CAIRN_TRY(again->check, verifyAgainstManifest(again->output, context));
        return {};
    });
}

std::shared_ptr<const JobRecord> JobDesk::record(JobId id) const {
    const auto found = m_records.find(id);
    return found != m_records.end() ? found->second : nullptr;
}

} // namespace cairn::ui

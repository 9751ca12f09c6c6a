// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/engine/publish.h"

#include "core/base/endian.h"
#include "core/io/hash.h"
#include "core/jobs/record/late_names.h"
#include "core/jobs/record/manifest.h"
#include "core/jobs/record/provenance.h"
#include "core/jobs/record/sign_model.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace cairn {

Result<void> checkNoManifest(const CopyPlan& plan, const EngineOptions& options) {
    if (plan.layout.folder) {
        return {};
    }
    std::vector<LateName> names = {kManifestLate};
    if (options.signer != nullptr) {
        names.push_back(kSignatureLate);
    }
    if (options.provenance) {
        names.push_back(kProvenanceLate);
    }
    if (options.bom) {
        names.push_back(kBomLate);
    }
    for (const LateName& name : names) {
        std::error_code error;
        const std::filesystem::path path = plan.output.string() + std::string(name.suffix);
        if (std::filesystem::exists(std::filesystem::symlink_status(path, error))) {
            return fail(ErrorCode::OutputExists, "A file about an output of that name already "
                                                 "exists; existing files are never replaced")
                .inFile(path.string())
                .withHint("Choose a different name, or move the existing output");
        }
    }
    return {};
}

Result<void> publishWithManifest(Staging& staging, const CopyPlan& plan, JobReport& report,
                                 JobContext& context, const EngineOptions& options) {
    CAIRN_TRY(
        const SourceDigests digests,
        digestSources(plan, options.provenance ? SourceFiles::All : SourceFiles::Small, context));
    context.setPhase(JobPhase::Publishing);
    const auto add = [&](const LateName& name, const std::string& text) -> Result<WrittenFile> {
        CAIRN_CHECK(staging.addLate(name, text, options.durability));
        Sha256 hash;
        hash.add(asBytes(text));
        const bool folder = plan.layout.folder;
        return WrittenFile{folder ? std::string(name.inFolder)
                                  : plan.output.filename().string() + std::string(name.suffix),
                           text.size(), hexText(hash.finish())};
    };
    std::vector<WrittenFile> late;
    if (options.provenance) {
        CAIRN_TRY(late.emplace_back(), add(kProvenanceLate, provenanceText(plan, report, digests)));
    }
    if (options.bom) {
        CAIRN_TRY(late.emplace_back(), add(kBomLate, bomText(plan, report)));
    }
    if (plan.layout.folder) { // beside a single file they are no part of the output
        std::ranges::move(late, std::back_inserter(report.files));
    }
    std::vector<WrittenFile> signedFiles = report.files;
    if (options.manifest) {
        report.manifest = manifestPath(plan);
        CAIRN_TRY(WrittenFile manifest, add(kManifestLate, manifestText(plan, report, digests)));
        if (plan.layout.folder) {
            signedFiles.push_back(std::move(manifest));
        }
    }
    if (options.signer != nullptr) {
        CAIRN_TRY(const std::string text,
                  signOutput(*options.signer, plan.output.filename().string(), plan.layout.folder,
                             signedFiles));
        CAIRN_CHECK(staging.addLate(kSignatureLate, text, options.durability));
        report.signature = signaturePath(plan.output, plan.layout.folder);
    }
    CAIRN_CHECK(context.proceed());
    return staging.publish(options.durability);
}

} // namespace cairn

// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/queue/finished_output.h"

#include "core/jobs/record/manifest.h"
#include "core/jobs/record/read_manifest.h"
#include "core/jobs/record/sign_model.h"

namespace cairn {

std::optional<JobReport> finishedOutput(const std::filesystem::path& output,
                                        const std::string& digest) {
    namespace fs = std::filesystem;
    if (digest.empty()) { // nothing is read for a job that expects no plan
        return std::nullopt;
    }
    std::error_code error;
    const bool folder = fs::is_directory(output, error);
    auto manifest = readManifest(manifestPath(output));
    if (!manifest || manifest->plan != digest) {
        return std::nullopt;
    }
    JobReport report;
    report.verified = !manifest->files.empty();
    for (const WrittenFile& file : manifest->files) {
        const fs::path path = folder ? output / file.path : output;
        if (fs::file_size(path, error) != file.bytes || error) {
            return std::nullopt;
        }
        report.bytes += file.bytes;
        report.verified = report.verified && !file.sha256.empty();
    }
    report.output = output;
    report.tensors = manifest->tensors.size();
    report.files = std::move(manifest->files);
    report.manifest = manifestPath(output);
    const fs::path signature = signaturePath(output, folder);
    report.signature = fs::exists(signature, error) ? signature : fs::path();
    report.doneBefore = report.published = true;
    return report;
}

} // namespace cairn

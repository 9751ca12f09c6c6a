// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/cluster/kubernetes_manifest.h"

#include "core/plan/request_words.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

namespace cairn {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostDocument = 1'000'000; // a ConfigMap has less than 1 MiB
constexpr const char* kDocumentFolder = "/etc/cairn-job";
constexpr const char* kDocumentName = "job.json";

bool isLabel(std::string_view text) {
    const auto plain = [](char each) {
        return (each >= 'a' && each <= 'z') || (each >= '0' && each <= '9') || each == '-' ||
               each == '.';
    };
    return !text.empty() && text.size() <= 253 && std::ranges::all_of(text, plain) &&
           text.front() != '-' && text.front() != '.' && text.back() != '-' && text.back() != '.';
}

/// "registry/name@sha256:" and 64 digits: what runs is what was named.
Result<void> checkImage(const std::string& image) {
    constexpr std::string_view kMark = "@sha256:";
    const std::size_t mark = image.find(kMark);
    const std::string_view digest = mark == image.npos
                                        ? std::string_view()
                                        : std::string_view(image).substr(mark + kMark.size());
    const bool good = mark != 0 && digest.size() == 64 &&
                      digest.find_first_not_of("0123456789abcdef") == digest.npos &&
                      image.find_first_of(" \t\r\n") == image.npos;
    if (good) {
        return {};
    }
    return fail(ErrorCode::InvalidArgument, "The image is not named by its digest")
        .inField("--image")
        .butFound(image.empty() ? Sentence("no image") : verbatim(image))
        .expecting("registry/name@sha256:…, with 64 digits")
        .withHint("An image of cairn-cli is to contain the same version as this program");
}

bool isWithin(const std::filesystem::path& path, const std::filesystem::path& folder) {
    const auto [end, rest] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
    return end == folder.end();
}

/// Every place that the job names must be in a volume: a pod has no other files.
Result<void> checkPlaces(const KubernetesSubmission& submission) {
    for (const ArrayJob::Item& item : submission.job.items) {
        CAIRN_TRY(const JobRequest request, requestOfWords(item.command));
        std::vector<std::filesystem::path> places{request.output.path()};
        for (const Location& source : request.sources) {
            places.push_back(source.path());
        }
        for (const RequestAdapter& adapter : request.adapters) {
            places.push_back(adapter.place.path());
        }
        for (const Location* each : {&request.like, &request.earlier, &request.trust.signKey,
                                     &request.trust.certificate}) {
            if (!each->empty()) {
                places.push_back(each->path());
            }
        }
        for (const std::filesystem::path& place : places) {
            const bool mounted =
                std::ranges::any_of(submission.volumes, [&](const ClaimedVolume& volume) {
                    return isWithin(place.lexically_normal(),
                                    std::filesystem::path(volume.path).lexically_normal());
                });
            if (!mounted) {
                return fail(ErrorCode::InvalidArgument,
                            "A path of the job is in none of its volumes")
                    .inField("--volume")
                    .butFound(verbatim(place.string()))
                    .withHint(
                        "--volume CLAIM=/path mounts a claim where this machine has its data");
            }
        }
    }
    return {};
}

Json volumesOf(const KubernetesSubmission& submission) {
    Json volumes = Json::array({{{"name", "job"}, {"configMap", {{"name", submission.name}}}}});
    for (std::size_t i = 0; i < submission.volumes.size(); ++i) {
        volumes.push_back(
            {{"name", "data-" + std::to_string(i)},
             {"persistentVolumeClaim", {{"claimName", submission.volumes[i].claim}}}});
    }
    return volumes;
}

Json mountsOf(const KubernetesSubmission& submission) {
    Json mounts =
        Json::array({{{"name", "job"}, {"mountPath", kDocumentFolder}, {"readOnly", true}}});
    for (std::size_t i = 0; i < submission.volumes.size(); ++i) {
        mounts.push_back(
            {{"name", "data-" + std::to_string(i)}, {"mountPath", submission.volumes[i].path}});
    }
    return mounts;
}

/// In arguments of a container `$(NAME)` is replaced, and `$$` is a dollar sign.
std::string literalArgument(std::string_view text) {
    std::string out;
    for (const char each : text) {
        out += each == '$' ? std::string("$$") : std::string(1, each);
    }
    return out;
}

Json podOf(const KubernetesSubmission& submission) {
    const ArrayNeeds& needs = submission.needs;
    const std::string memory = std::to_string((needs.memoryBytes + (1U << 20U) - 1) >> 20U) + "Mi";
    const Json container = {
        {"name", "cairn"},
        {"image", submission.image},
        {"command", Json::array({literalArgument(submission.program)})},
        {"args", Json::array({"job", "run", std::string(kDocumentFolder) + "/" + kDocumentName,
                              "--task", "index", "--progress=none"})},
        {"resources",
         {{"requests", {{"cpu", "1"}, {"memory", memory}}}, {"limits", {{"memory", memory}}}}},
        {"volumeMounts", mountsOf(submission)}};
    return {{"restartPolicy", "Never"},
            {"activeDeadlineSeconds", needs.taskSeconds + needs.lastSeconds},
            {"terminationGracePeriodSeconds", 60},
            {"containers", Json::array({container})},
            {"volumes", volumesOf(submission)}};
}

} // namespace

Result<ClaimedVolume> claimedVolume(std::string_view text) {
    const std::size_t equal = std::min(text.find('='), text.size());
    ClaimedVolume volume{std::string(text.substr(0, equal)),
                         std::string(text.substr(std::min(equal + 1, text.size())))};
    const bool path = volume.path.starts_with('/') && volume.path.find(':') == text.npos;
    if (!isLabel(volume.claim) || !path) {
        return fail(ErrorCode::InvalidArgument, "Invalid volume")
            .inField("--volume")
            .butFound(verbatim(std::string(text)))
            .expecting("CLAIM=/path, with the name of a PersistentVolumeClaim and an absolute path "
                       "without ':'");
    }
    return volume;
}

std::string kubernetesName(std::string_view word, std::string_view digest) {
    std::string name = "cairn-";
    for (const char each : word.substr(0, 30)) {
        const char low = each >= 'A' && each <= 'Z' ? static_cast<char>(each - 'A' + 'a') : each;
        const bool plain = (low >= 'a' && low <= 'z') || (low >= '0' && low <= '9');
        name += plain ? low : '-';
    }
    return name + "-" + std::string(digest.substr(0, 8));
}

Result<std::string> kubernetesManifest(const KubernetesSubmission& submission) {
    CAIRN_CHECK(checkImage(submission.image));
    CAIRN_CHECK(checkPlaces(submission));
    for (std::size_t i = 0; i < submission.volumes.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (submission.volumes[i].path == submission.volumes[j].path) {
                return fail(ErrorCode::InvalidArgument, "Two volumes at one place")
                    .inField("--volume")
                    .butFound(verbatim(submission.volumes[i].path));
            }
        }
    }
    CAIRN_TRY(std::string document, arrayDocument(submission.job));
    if (document.size() > kMostDocument) {
        return fail(ErrorCode::LimitExceeded, "The job is too large for a ConfigMap")
            .butFound(sentence("%1 bytes", document.size()))
            .expecting(sentence("at most %1 bytes", kMostDocument))
            .withHint("Submit fewer checkpoints at a time");
    }
    const Json labels = {{"app.kubernetes.io/name", "cairn"},
                         {"app.kubernetes.io/instance", submission.name}};
    const Json metadata = {{"name", submission.name}, {"labels", labels}};
    const std::size_t tasks = submission.job.tasks();
    const Json job = {
        {"apiVersion", "batch/v1"},
        {"kind", "Job"},
        {"metadata", metadata},
        {"spec",
         {{"completions", tasks},
          {"parallelism", tasks},
          {"completionMode", "Indexed"},
          {"backoffLimitPerIndex", 6},
          {"template", {{"metadata", {{"labels", labels}}}, {"spec", podOf(submission)}}}}}};
    const Json map = {{"apiVersion", "v1"},
                      {"kind", "ConfigMap"},
                      {"metadata", metadata},
                      {"immutable", true},
                      {"data", {{kDocumentName, document}}}};
    const Json list = {{"apiVersion", "v1"}, {"kind", "List"}, {"items", Json::array({map, job})}};
    return list.dump(2, ' ', true) + "\n";
}

} // namespace cairn

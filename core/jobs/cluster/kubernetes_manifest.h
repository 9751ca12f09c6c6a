// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/jobs/cluster/array_job.h"

#include <string>
#include <string_view>
#include <vector>

/// An Indexed Job of Kubernetes with a pod for each task, and the ConfigMap with its document, as
/// one list (JSON, which is YAML, too). The part that finishes last publishes. Source: batch/v1 and
/// core/v1 of Kubernetes 1.29. Pure.
namespace cairn {

/// A PersistentVolumeClaim and where the pods see it: where this machine sees the same data.
struct ClaimedVolume {
    std::string claim;
    std::string path;
};
/// "CLAIM=/path". Fails with InvalidArgument.
Result<ClaimedVolume> claimedVolume(std::string_view text);

struct KubernetesSubmission {
    ArrayJob job;
    ArrayNeeds needs;
    std::string name;  ///< of the Job; see kubernetesName()
    std::string image; ///< with its digest: "registry/cairn@sha256:…"
    std::vector<ClaimedVolume> volumes;
    std::string program = "cairn-cli"; ///< in the image
};

/// A name that Kubernetes accepts, of a word and the start of a digest: "cairn-model-5e8f01ab".
std::string kubernetesName(std::string_view word, std::string_view digest);

/// Fails: InvalidArgument for an image without a digest, no volumes, two at one place, or a path of
/// the job that is in none of them; LimitExceeded for a document that no ConfigMap can contain;
/// BadEncoding.
Result<std::string> kubernetesManifest(const KubernetesSubmission& submission);

} // namespace cairn

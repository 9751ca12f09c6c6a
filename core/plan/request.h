// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/location.h"
#include "core/model/name_rules.h"
#include "core/plan/job_part.h"
#include "core/plan/selection.h"
#include "core/plan/sharding.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What a job shall do, as one value: whoever wants a job (command line, window, Python, a recorded
/// job) fills a JobRequest, and runRequest() in jobs/request executes it. Its options are rows of
/// the table in request_fields.h. Plain values; pure.
namespace cairn {

/// In the command line the name of the verb.
enum class JobKind : std::uint8_t {
    Consolidate,
    Fold,
    Convert,
    Reshard,
    Export,
    Cast,
    Rename,
    Average,
    Pack,
    Unpack
};
inline constexpr std::size_t kJobKinds = 10;
std::string_view jobKindName(JobKind kind); ///< "consolidate", "fold", …
std::optional<JobKind> jobKindOf(std::string_view name);

/// Several kinds.
class JobKinds {
public:
    constexpr JobKinds() = default;
    template <class... Kinds>
    constexpr explicit JobKinds(Kinds... kinds) : m_bits(((1U << index(kinds)) | ...)) {}
    [[nodiscard]] constexpr bool contains(JobKind kind) const {
        return ((m_bits >> index(kind)) & 1U) != 0;
    }

private:
    static constexpr unsigned index(JobKind kind) { return static_cast<unsigned>(kind); }
    unsigned m_bits = 0;
};

/// Whether the key of the dict with the weights ("model." in {"model": …, "optimizer": …}) and the
/// prefixes of wrappers ("module.", "_orig_mod.") stay in the output's names. Auto: dropped for a
/// bundle, whose names the model's library must recognise; kept otherwise.
enum class ContainerKey : std::uint8_t { Auto, Keep, Drop };

/// Tied weights in formats that cannot share bytes. First: written once under the first name, with
/// the other names listed in the metadata as by safetensors.torch.save_model. Copies: every name
/// gets the bytes.
enum class TiedWeights : std::uint8_t { First, Copies };

/// An adapter (PEFT's LoRA) to fold into the weights.
struct RequestAdapter {
    Location place;
    double scale = 1; ///< multiplies its low-rank changes, in addition to its own scale
    friend bool operator==(const RequestAdapter&, const RequestAdapter&) = default;
};

/// "PATH" or "PATH=0.5"; the scale is 1 if the text after the last `=` is no number, or if the
/// whole text is the path of something that exists ("r=8").
RequestAdapter adapterOf(const std::string& text);

/// What is written about the output, besides its manifest.
struct RequestTrust {
    Location signKey;     ///< a private key, PEM; empty: the output is not signed
    Location certificate; ///< of the key, with its issuers; empty: none
    bool provenance = false;
    bool bom = false; ///< a bill of materials
    friend bool operator==(const RequestTrust&, const RequestTrust&) = default;
};

struct JobRequest {
    JobKind kind = JobKind::Consolidate;
    std::vector<Location> sources; ///< checkpoints; one, but for an average
    std::vector<double> weights;   ///< of an average's members; empty: equal ones
    Location output;               ///< a file or folder that does not exist
    std::string to;                ///< id of the output's format; empty: see settled()
    Selection only;                ///< with the subtree of PATH#subtree
    std::string dtype = "keep";    ///< as stored; otherwise the target of casts, see castTarget()
    std::vector<std::string> keepFp32; ///< globs of full names: these floats become float32
    bool force = false;                ///< write in spite of doubts; see PlanProblem
    bool castAll = false;              ///< also cast norms, buffers and training state
    /// Compute quantised weights from codes and scales; "keep" then means the dtype in which their
    /// library gives them, bfloat16 where it has none.
    bool dequantize = false;
    std::vector<RequestAdapter> adapters; ///< folded into the weights, in this order
    bool roundsChanges = false; ///< to the weight's dtype before adding, as PEFT's safe_merge does
    NameRules rename;           ///< applied to the output's names
    std::uint64_t maxShardBytes = 0; ///< 0: one file
    Sharding sharding;               ///< over ranks, or one file per layer
    std::string device = "auto";     ///< where elements are computed; see compute/device_choice.h
    bool bundle =
        false; ///< a folder with config, tokenizer and generation files beside the weights
    /// Id of the trainer whose complete training state is written (trainers.h); empty: a model.
    std::string trainer;
    bool mustResume = false; ///< only a state from which training continues exactly
    bool mustLoad = false;   ///< only tensors that are known to be those of the config's class
    ContainerKey container = ContainerKey::Auto;
    TiedWeights tied = TiedWeights::First;
    /// Names and layout of the weights: "auto" (hf for a bundle, else keep), "keep", or a name
    /// space that families/names/conversion.h knows.
    std::string names = "auto";
    /// A folder whose config, tokenizer and generation files go before those around the source;
    /// empty: none.
    Location like;
    std::string family; ///< of the model, if its config does not tell: "qwen3"; empty: as it tells
    std::vector<std::pair<std::string, std::string>>
        metadata;     ///< added to the output's metadata if the format has any
    int level = 1;    ///< of a pack: 1: entropy coder; 2 … 19: zstd level, slower, rarely smaller
    Location earlier; ///< of a pack: an earlier checkpoint, to which the difference is stored
    RequestTrust trust;
    JobPart part; ///< of a job that is divided among several processes

    friend bool operator==(const JobRequest&, const JobRequest&) = default;
};

/// The request with absolute paths, which means the same in another folder.
JobRequest absoluteRequest(JobRequest request);

/// Sets the sources of "PATH" or "PATH#subtree"; a '#' in the name of an existing file belongs to
/// it. Fails with InvalidArgument if there are none, several for a job of one, or different
/// subtrees.
Result<void> setSources(JobRequest& request, std::span<const std::string> texts);

/// Weights of an average's members: "0.5,0.3,0.2". Fails with InvalidArgument if it is not a list
/// of numbers.
Result<std::vector<double>> parseWeights(std::string_view text);

/// The weight of each source; equal ones if there are none. Fails with InvalidArgument if there are
/// more or fewer than sources.
Result<std::vector<double>> memberWeights(const JobRequest& request);

} // namespace cairn

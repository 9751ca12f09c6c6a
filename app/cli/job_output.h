// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/opened.h"
#include "app/cli/transform_options.h"
#include "app/cli/verb.h"
#include "core/jobs/archive/pack_archive.h"
#include "core/jobs/engine/engine.h"
#include "core/jobs/prepare/precision_preview.h"
#include "core/plan/consolidate.h"

#include <filesystem>
#include <functional>
#include <string_view>

/// Code shared by the verbs that make plans and execute them.
namespace cairn::cli {

/// The options of `consolidate` and `export` from the arguments. Fails: InvalidArgument for invalid
/// sizes and unsupported combinations.
Result<ConsolidateOptions> consolidateOptions(const Arguments& arguments, const Opened& source);
/// For `fold`: a bundle of all weights, or a GGUF file. Fails also if --adapter is missing.
Result<ConsolidateOptions> foldOptions(const Arguments& arguments, const Opened& source);
/// The sources are the positionals from `first` on; `options.source` is the last of them.
struct AverageJob {
    CheckpointPtr source;
    ConsolidateOptions options;
};
Result<AverageJob> averageJob(const Arguments& arguments, std::size_t first, Session& session);
/// For `cast` and `rename`: everything is written, in the source's format if that is writable.
/// Fails also if --dtype or --rename is missing.
Result<ConsolidateOptions> conversionOptions(const Arguments& arguments, const Opened& source,
                                             const std::string& job);
/// For `convert`: a bundle of all weights at their stored dtype, under the names of --names.
Result<ConsolidateOptions> convertOptions(const Arguments& arguments, const Opened& source);
/// For `pack`: --level and --delta; checks that the source is a complete checkpoint.
Result<PackOptions> packOptions(const Arguments& arguments, const Opened& source, Session& session);
Result<ExportOptions> exportOptions(const Arguments& arguments, const Opened& source);

/// "5GB", "500 MB", "1GiB", "1000": bytes.
Result<std::uint64_t> parseSize(std::string_view text);

/// The number of parts into which a job is divided. Fails: InvalidArgument.
Result<std::size_t> partCount(std::string_view text);

/// Prints the plan as a document or a table, with the forecast of its precision if there is one.
void printPlan(const CopyPlan& plan, Session& session, std::size_t parts = 1,
               const PrecisionPreview* precision = nullptr);

/// Prints the report of a job that was done before.
void printDone(const JobReport& report, Session& session);

/// Executes the plan, or the session's part of it, with progress on standard error, and prints its
/// report. While it runs it is in the user's list of jobs. Fails with the errors of runPlan(), the
/// plan's problems, and ChangedOnDisk if another plan was expected.
Result<int> runPlanned(const CopyPlan& plan, Session& session, const EngineOptions& engine = {});

/// What is written about the output: --sign, --sign-cert, --provenance, --bom. Fails if the key or
/// its certificates are unsuitable.
Result<EngineOptions> engineOptions(const Arguments& arguments);

/// Opens the checkpoint in the first positional, reads its options and executes the resulting plan.
Result<int> runConversion(const Arguments& arguments, Session& session,
                          Result<ConsolidateOptions> (*options)(const Arguments& arguments,
                                                                const Opened& source));

/// The same as runPlanned() for jobs without a plan.
Result<int> runJob(Session& session,
                   const std::function<Result<JobReport>(FileOps&, JobContext&)>& work);

inline constexpr Option kLevelOption{"--level", "N",
                                     "Compression level: 1 (default, fast) to 19 (slow)"};
inline constexpr Option kDeltaOption{
    "--delta", "EARLIER",
    "Store only the difference to this checkpoint, which must remain in place"};
inline constexpr Option kOutputOption{"-o,--output", "OUT",
                                      "Output file or folder; must not exist"};
inline constexpr Option kToOption{
    "--to", "FORMAT", "safetensors (default), torch or dcp; `cairn-cli formats` lists them"};
inline constexpr Option kOnlyOption{"--only", "WHAT",
                                    "weights (default), all, or a GLOB of full names"};
inline constexpr Option kStripOption{
    "--strip", "ROLES", "Roles to leave out: optimizer,ema,scheduler,rng,training_state"};
inline constexpr Option kShardOption{"--max-shard-size", "SIZE",
                                     "Maximum size of a shard: 5GB, 500MB"};
inline constexpr Option kBundleOption{
    "--bundle", "", "Write a folder with config and tokenizer files beside the weights"};
inline constexpr Option kNamesOption{
    "--names", "NAMES",
    "Names and layout of a model family: hf (default with --bundle: as save_pretrained writes "
    "them), gguf (default with --to gguf: llama.cpp's, with metadata and tokenizer), megatron, "
    "native, torchtune, litgpt, or keep"};
inline constexpr Option kLikeOption{
    "--like", "FOLDER",
    "Take config, tokenizer, vocabulary and generation settings from the folder of a base model or "
    "an earlier export, before those around SRC; implies --bundle"};
inline constexpr Option kFamilyOption{
    "--family", "NAME",
    "Model family for --names, if no config names it: llama, qwen3, mixtral, …"};
inline constexpr Option kSignOption{
    "--sign", "KEY",
    "Sign the output with this private key (P-256, P-384 or P-521, PEM): writes model.sig"};
inline constexpr Option kSignCertOption{
    "--sign-cert", "CHAIN", "With --sign: PEM file with the key's certificate and its issuers"};
inline constexpr Option kProvenanceOption{
    "--provenance", "",
    "Write provenance.json (SLSA v1) with the SHA-256 of every source file; reads the source "
    "again"};
inline constexpr Option kBomOption{
    "--bom", "", "Write bom.cdx.json: a bill of materials of the model (CycloneDX 1.6)"};
inline constexpr Option kPartsOption{
    "--parts", "N", "For `job run --part`: the number of parts into which the job is divided"};
inline constexpr Option kForceOption{
    "--force", "",
    "Write even if refused as doubtful: parts of different saves, shards that could not be merged, "
    "a bundle that its library would not load. Never replaces an existing file"};
inline constexpr Option kRequireOption{
    "--require", "loadable",
    "Write only what is known to load: the tensors are those of the class that config.json names"};

} // namespace cairn::cli

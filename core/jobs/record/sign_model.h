// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/file_ops.h"
#include "core/jobs/context/job_context.h"
#include "core/jobs/record/job_report.h"
#include "core/jobs/record/verify_result.h"
#include "core/signing/model_signer.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// Signs models on the disk and outputs of jobs, and verifies them (OpenSSF Model Signing).
namespace cairn {

inline constexpr std::string_view kSignatureInFolder = "model.sig";

/// The usual path of an output's signature: `<file>.sig`, `<folder>/model.sig`.
std::filesystem::path signaturePath(const std::filesystem::path& output, bool isFolder);

struct SignOptions {
    std::filesystem::path signature;            ///< empty: at its usual path
    std::vector<std::filesystem::path> ignored; ///< not signed; relative ones are in the model
    bool followLinks = false;
    /// Take digests of unchanged files from the manifest instead of reading them. A forged manifest
    /// would get other content signed than that of the files.
    bool trustManifest = false;
};

struct SignReport {
    std::filesystem::path signature;
    std::vector<signing::SignedFile> files;
    std::uint64_t hashedBytes = 0; ///< read for this
};

/// Writes the signature of a folder or file. Never replaces a file. Fails: OutputExists,
/// NotRegularFile (links, devices), NotFound (no files), and the errors of reading and writing.
Result<SignReport> signModel(const std::filesystem::path& model, const signing::ModelSigner& signer,
                             const SignOptions& options, FileOps& fileOps, JobContext& context);

/// The signature of an output from the digests of its files. `files` includes the manifest if it is
/// in the folder.
Result<std::string> signOutput(const signing::ModelSigner& signer, const std::string& name,
                               bool isFolder, const std::vector<WrittenFile>& files);

struct SignatureOptions {
    std::vector<std::filesystem::path> ignored; ///< as for SignOptions
    bool ignoreUnsigned = false;                ///< further files are not a mismatch
    bool followLinks = false;                   ///< also if the signature does not allow links
};

/// Proves a signature and compares every file of the model with it. What is wrong with the model is
/// a mismatch. Fails: the errors of signing::openSignature(), and Cancelled.
Result<VerifyResult> verifySignature(const std::filesystem::path& model,
                                     const std::filesystem::path& signature,
                                     const signing::Trust& trust, const SignatureOptions& options,
                                     JobContext& context);

} // namespace cairn

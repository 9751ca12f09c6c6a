// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// What a signature states about a model: the in-toto statement of OpenSSF Model Signing 1.0.
namespace cairn::signing {

/// A signed file, or a range of one.
struct SignedFile {
    std::string path;        ///< relative to the model; "." is the model itself if it is one file
    std::uint64_t begin = 0; ///< of the range, if the model was signed in shards
    std::uint64_t end = 0;
    std::string digest; ///< lower-case hexadecimal
};

enum class HashType : std::uint8_t { Sha256, Blake2b };

struct SignedManifest {
    std::string model; ///< name of the model's folder; informative
    HashType hash = HashType::Sha256;
    std::uint64_t shardBytes = 0; ///< 0: complete files
    bool allowSymlinks = false;
    std::vector<std::string> ignored; ///< paths relative to the model
    std::vector<SignedFile> files;
};

/// Sorts the files as the statement lists them: by the components of their paths.
void sortFiles(std::vector<SignedFile>& files);

/// The statement as JSON. REQUIRES: sorted complete files with SHA-256. Fails:
/// NameNotRepresentable for a path that is not UTF-8.
Result<std::string> statementText(const SignedManifest& manifest);

/// Inverse of statementText(), for every form that is valid: shards, BLAKE2b, the predicate of
/// releases before 1.0. `name` is for messages. Memory: a small multiple of the text. Fails:
/// BadSignature (not a statement of this kind, inconsistent digests), OutsideFolder (a path that
/// leaves the model), Unsupported (a digest algorithm).
Result<SignedManifest> parseStatement(std::string_view text, const std::string& name);

} // namespace cairn::signing

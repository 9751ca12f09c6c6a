// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

/// libcrypto's objects with owners. Internal to this room.
namespace cairn::signing {

template <auto Free> struct Release {
    template <class T> void operator()(T* object) const { Free(object); }
};
using Bio = std::unique_ptr<BIO, Release<BIO_free_all>>;
using DigestContext = std::unique_ptr<EVP_MD_CTX, Release<EVP_MD_CTX_free>>;
using Store = std::unique_ptr<X509_STORE, Release<X509_STORE_free>>;
using StoreContext = std::unique_ptr<X509_STORE_CTX, Release<X509_STORE_CTX_free>>;

/// A reader of `text`, which must outlive it.
Bio readerOf(std::string_view text);
/// What was written to a memory BIO.
std::string textOf(const Bio& memory);

/// Content of a small file that the user named; links are followed. Fails: NotFound,
/// NotRegularFile, LimitExceeded, and the errors of reading.
Result<std::string> readNamedFile(const std::filesystem::path& path, std::uint64_t most);

} // namespace cairn::signing

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The bytes that a DSSE envelope signs, and base64 as its JSON uses it. Pure.
namespace cairn::signing {

inline constexpr std::string_view kPayloadType = "application/vnd.in-toto+json";

/// The pre-authentication encoding of a payload of the type kPayloadType.
std::string preAuthEncoding(std::string_view payload);
/// The encoding that model-signing wrote before 1.0: it contains Python's text of the bytes.
std::string earlyPreAuthEncoding(std::string_view payload);

std::string base64Text(std::span<const std::byte> bytes);
/// Inverse of base64Text(); the URL-safe alphabet is accepted, too. Empty for other text.
std::optional<std::vector<std::byte>> base64Bytes(std::string_view text);

} // namespace cairn::signing

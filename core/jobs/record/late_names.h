// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

/// The small files that describe an output: manifest, signature, provenance, bill of materials.
namespace cairn {

/// Names of a small file that is made after the output: in a folder output, `inFolder`; beside an
/// output of one file, that file's name with a suffix.
struct LateName {
    std::string_view inFolder;
    std::string_view stagedSuffix; ///< of the temporary name
    std::string_view suffix;
};
inline constexpr LateName kManifestLate{"MANIFEST.json", ".manifest", ".cairn.json"};
inline constexpr LateName kSignatureLate{"model.sig", ".sig", ".sig"};
inline constexpr LateName kProvenanceLate{"provenance.json", ".provenance", ".provenance.json"};
inline constexpr LateName kBomLate{"bom.cdx.json", ".bom", ".cdx.json"};

} // namespace cairn

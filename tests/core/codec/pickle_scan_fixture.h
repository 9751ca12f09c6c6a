// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/pickle/scan.h"
#include "tests/core/codec/pickle_assembler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace cairn::pickle::scanning {

using A = PickleAssembler;

inline Verdict verdictOf(const A& bytes) {
    return scanPickle(bytes).verdict;
}

inline bool names(const PickleReport& report, std::string_view module, std::string_view name) {
    return std::ranges::any_of(report.globals, [&](const ScannedGlobal& g) {
        return g.module == module && g.name == name;
    });
}

/// os.system("id"), without the call itself.
inline A& payload(A& bytes) {
    return bytes.global("os", "system").text("id").op(0x85).reduce();
}
inline A payload() {
    A bytes;
    return payload(bytes);
}

} // namespace cairn::pickle::scanning

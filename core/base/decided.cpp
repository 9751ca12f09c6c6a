// SPDX-License-Identifier: Apache-2.0
#include "core/base/decided.h"

namespace cairn {

std::string_view strengthName(Strength strength) {
    switch (strength) {
    case Strength::Proven:
        return "proven";
    case Strength::Recorded:
        return "recorded";
    case Strength::Named:
        break;
    }
    return "named";
}

} // namespace cairn

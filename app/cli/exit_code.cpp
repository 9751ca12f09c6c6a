// SPDX-License-Identifier: Apache-2.0
#include "app/cli/verb.h"

namespace cairn::cli {

int exitCode(const Error& error) {
    switch (exitClass(error.code)) {
    case ExitClass::Failed:
        return 1;
    case ExitClass::Usage:
        return 2;
    case ExitClass::Input:
        return 3;
    case ExitClass::Output:
        return 4;
    case ExitClass::Refused:
        return 5;
    case ExitClass::Interrupted:
        return 130;
    }
    return 1;
}

} // namespace cairn::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/diff/equality.h"

namespace cairn::ui {

bool Equality::holds(const TensorPair& pair, const PairDiff& values) const {
    if (!pair.sameShape || !values.compared()) {
        return false;
    }
    const ElementComparison& found = values.values;
    switch (kind) {
    case Kind::AfterCast:
        return found.changedAfterCast ? *found.changedAfterCast == 0
                                      : pair.sameDtype && found.identical;
    case Kind::Within:
        return found.numeric ? found.beyond == 0 : pair.sameDtype && found.identical;
    case Kind::Bits:
        break;
    }
    return pair.sameDtype && found.identical;
}

} // namespace cairn::ui

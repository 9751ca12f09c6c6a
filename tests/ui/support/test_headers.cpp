// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/support/test_headers.h"

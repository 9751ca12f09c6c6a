// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The C interface between Cairn and its libtorch module: plain data, so that the module may be built with another
/// compiler or C++ runtime than the program. Text belongs to the module and lives as long as it is open.
extern "C" {

struct CairnTorchInfo {
    const char* torchVersion;
    const char* device;
    int cudaDevices;
};

/// Raised whenever this header changes; a module of another number is refused.
enum { kCairnTorchAbi = 1 };

typedef int (*CairnTorchAbiFunction)(void);
typedef CairnTorchInfo (*CairnTorchInfoFunction)(void);
}

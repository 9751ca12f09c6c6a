// SPDX-License-Identifier: Apache-2.0
#include "core/compute/torch_matrices.h"

#include "core/compute/torch_elements.h"
#include "core/compute/torch_module.h"
#include "core/model/element.h"

#include <algorithm>

namespace cairn {
namespace {

/// Number of rows or columns of `length` elements in a block.
std::uint64_t linesOf(Dtype dtype, std::span<const std::byte> block, std::uint64_t length) {
    return block.size() / (dtypeInfo(dtype).bits / 8) / length;
}

} // namespace

bool hasSpectrum(Dtype dtype) {
    return hasNumericElements(dtype);
}

Result<TorchSpectrum> TorchSpectrum::open(const std::string& device, std::uint64_t rows,
                                          std::uint64_t columns) {
    CAIRN_TRY(const TorchModuleInfo info, openTorchModule());
    CairnTorchSpectrum* handle = nullptr;
    CairnTorchError error{};
    const CairnTorchModule& module = *info.functions;
    if (module.openSpectrum(device.c_str(), std::min(rows, columns), &handle, &error) != 0) {
        return torchError(error, "Singular values cannot be computed");
    }
    return TorchSpectrum(module, Handle(handle, module.closeSpectrum), rows, columns);
}

Result<void> TorchSpectrum::add(Dtype dtype, std::span<const std::byte> block) {
    const CairnElements elements = torchElements(dtype, block);
    CairnTorchError error{};
    const std::uint64_t lines = linesOf(dtype, block, std::min(m_rows, m_columns));
    const auto add = byColumns() ? m_module->addTransposed : m_module->addRows;
    if (add(m_handle.get(), &elements, lines, &error) != 0) {
        return torchError(error, "Singular values cannot be computed");
    }
    return {};
}

Result<std::vector<double>> TorchSpectrum::finish() {
    std::vector<double> values(static_cast<std::size_t>(std::min(m_rows, m_columns)));
    std::uint64_t found = 0;
    CairnTorchError error{};
    if (m_module->finishSpectrum(m_handle.get(), values.data(), values.size(), &found, &error) !=
        0) {
        return torchError(error, "Singular values cannot be computed");
    }
    values.resize(static_cast<std::size_t>(std::min<std::uint64_t>(found, values.size())));
    return values;
}

Result<TorchSimilarity> TorchSimilarity::open(const std::string& device, std::uint64_t rows,
                                              std::uint64_t columns) {
    CAIRN_TRY(const TorchModuleInfo info, openTorchModule());
    CairnTorchSimilarity* handle = nullptr;
    CairnTorchError error{};
    const CairnTorchModule& module = *info.functions;
    const CairnMatrices matrices{rows, columns, columns, rows <= columns ? 1 : 0};
    if (module.openSimilarity(device.c_str(), &matrices, &handle, &error) != 0) {
        return torchError(error, "The similarity cannot be computed");
    }
    return TorchSimilarity(module, Handle(handle, module.closeSimilarity), rows, columns);
}

Result<void> TorchSimilarity::add(Dtype leftType, std::span<const std::byte> left, Dtype rightType,
                                  std::span<const std::byte> right) {
    const CairnElements l = torchElements(leftType, left);
    const CairnElements r = torchElements(rightType, right);
    const std::uint64_t lines = linesOf(leftType, left, byColumns() ? m_rows : m_columns);
    CairnTorchError error{};
    if (m_module->addBlocks(m_handle.get(), &l, lines, &r, lines, &error) != 0) {
        return torchError(error, "The similarity cannot be computed");
    }
    return {};
}

Result<double> TorchSimilarity::finish() {
    double cka = 0;
    CairnTorchError error{};
    if (m_module->finishSimilarity(m_handle.get(), &cka, &error) != 0) {
        return torchError(error, "The similarity cannot be computed");
    }
    return cka;
}

} // namespace cairn

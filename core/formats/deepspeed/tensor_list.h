// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/deepspeed/flat_parts.h"
#include "core/formats/deepspeed/rounding_check.h"

#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace cairn::formats::deepspeed {

/// The folder's tensors under the names that people use: weights first, moments after them, then
/// the 16-bit copies as `module.<name>`. A name is there once; the first stays. One thread; `data`
/// must outlive it.
class TensorList {
public:
    explicit TensorList(CheckpointData& data) : m_data(data) {}

    /// Master weights; their moments wait for addMoments().
    void addLogicals(std::vector<Logical> logicals, const std::string& prefix);

    /// What the module holds and no master stands for: buffers, frozen parameters, weights that
    /// were trained as they are. Floating-point buffers of 16 bits are shown as float32, which is
    /// what DeepSpeed's own merge makes of them. `elsewhere`: parameters whose weights are files of
    /// their own, there or missing.
    void addModule(Member& model, const ModelStates& states, const std::string& prefix,
                   bool partitioned, const std::set<std::string, std::less<>>& elsewhere);

    /// A tensor of the list once more, under another name and role.
    void addAlias(const std::string& target, std::string name, Role role);

    /// Names that stand for another parameter's bytes.
    void addShared(const ModelStates& states, const std::string& prefix);

    void addMoments();

    /// One tensor of a member as it is; false: the name is taken.
    bool add(Member& member, std::size_t position, std::string name, Role role);
    bool add(TensorEntry tensor);

    /// ZeRO 3 leaves empty tensors in the place of the module's own.
    enum class Placeholders : std::uint8_t { Add, LeaveOut };
    /// The module's own tensors as `<prefix>module.<name>`; aliases where they are the very bytes
    /// of `<prefix><name>`. `container`: what the names in the file begin with. `inserted`: put
    /// before the name.
    void addCopies(Member& member, const std::string& prefix, std::string_view container,
                   const std::string& inserted, Placeholders placeholders);

    [[nodiscard]] const TensorEntry* find(const std::string& name) const;
    [[nodiscard]] bool hasMasters() const { return m_anyMaster; }
    [[nodiscard]] const std::vector<WeightAndCopy>& copied() const { return m_copied; }
    [[nodiscard]] const std::vector<std::string>& masters() const { return m_masters; }

private:
    void addOwn(Member& model, std::size_t position, std::string name, bool buffer);

    CheckpointData& m_data;
    std::unordered_map<std::string, TensorIndex> m_places;
    std::vector<TensorEntry> m_moments;
    std::vector<std::string> m_masters; ///< names
    bool m_anyMaster = false;
    std::vector<WeightAndCopy> m_copied;
};

} // namespace cairn::formats::deepspeed

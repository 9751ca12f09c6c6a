// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/deepspeed/flat_parts.h"
#include "core/formats/deepspeed/rounding_check.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace cairn::formats::deepspeed {

/// The folder's tensors under their usual names: weights first, then moments, then the 16-bit
/// copies as `module.<name>`. Names are unique; the first tensor is kept. Not thread-safe; `data`
/// must outlive it.
class TensorList {
public:
    explicit TensorList(CheckpointData& data) : m_data(data) {}

    /// Adds master weights; their moments are added by addMoments().
    void addLogicals(std::vector<Logical> logicals, const std::string& prefix);

    /// Adds the module's tensors that have no master: buffers, frozen parameters, weights trained
    /// directly. 16-bit floating-point buffers are shown as float32, as in DeepSpeed's own merge.
    /// `elsewhere`: parameters whose weights are in separate files, which may be missing.
    void addModule(Member& model, const ModelStates& states, const std::string& prefix,
                   bool partitioned, const std::set<std::string, std::less<>>& elsewhere);

    /// Adds a tensor of the list under a second name, with a role.
    void addAlias(const std::string& target, std::string name, Role role);

    /// Adds names that share another parameter's bytes.
    void addShared(const ModelStates& states, const std::string& prefix);

    void addMoments();

    /// Adds one tensor of a member unchanged; false: the name already exists.
    bool add(Member& member, std::size_t position, std::string name, Role role);
    bool add(TensorEntry tensor);

    /// ZeRO 3 leaves empty tensors in the place of the module's own.
    enum class Placeholders : std::uint8_t { Add, LeaveOut };
    /// Adds the module's own tensors as `<prefix>module.<name>`; aliases if they share the bytes of
    /// `<prefix><name>`. `container`: prefix of the names in the file. `inserted`: put before the
    /// name.
    void addCopies(Member& member, const std::string& prefix, std::string_view container,
                   const std::string& inserted, Placeholders placeholders);

    [[nodiscard]] const TensorEntry* find(const std::string& name) const;
    /// The master of which a layer's file contains this 16-bit copy, because layers share it.
    [[nodiscard]] std::optional<TensorIndex> findTied(const std::string& prefix,
                                                      const TensorEntry& stored) const;
    [[nodiscard]] bool hasMasters() const { return m_anyMaster; }
    [[nodiscard]] const std::vector<WeightAndCopy>& copied() const { return m_copied; }
    /// Masters whose names were added before: weights that pipeline stages share.
    [[nodiscard]] const std::vector<Repeated>& repeated() const { return m_repeated; }
    [[nodiscard]] const std::vector<std::string>& masters() const { return m_masters; }

private:
    void addOwn(Member& model, std::size_t position, std::string name, bool buffer);

    CheckpointData& m_data;
    std::unordered_map<std::string, TensorIndex> m_places;
    std::vector<TensorEntry> m_moments;
    std::vector<std::string> m_masters; ///< names
    bool m_anyMaster = false;
    /// Masters that layers share, by prefix and nameInLayer().
    std::multimap<std::string, TensorIndex> m_tied;
    std::vector<WeightAndCopy> m_copied;
    std::vector<Repeated> m_repeated;
};

} // namespace cairn::formats::deepspeed

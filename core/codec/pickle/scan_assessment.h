// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/sentence.h"
#include "core/codec/pickle/known_names.h"
#include "core/codec/pickle/pickle.h"
#include "core/codec/pickle/scan.h"

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace cairn::pickle {

/// What Python would do with the names of one pickle; private to this folder. A closed world: a
/// call makes a value only if its name was read (known_names.h) and no function can be reached from
/// its arguments that would run code. By induction nothing that such calls make can run code
/// either. Borrows the graph; one thread.
class PickleAssessment {
public:
    struct Finding {
        Verdict verdict{};
        Sentence reason;
    };

    explicit PickleAssessment(const PickleGraph& graph);
    void run();

    /// The worst use of the name at this position in the graph's globals().
    [[nodiscard]] Verdict risk(std::size_t global) const { return m_byGlobal[global]->worst; }
    [[nodiscard]] const std::vector<Finding>& findings() const { return m_findings; }
    /// Values that a call would unpickle.
    [[nodiscard]] const std::vector<NodeId>& loaded() const { return m_loaded; }

private:
    /// What is known of one name, and how the pickle uses it.
    struct Facts {
        GlobalName name; ///< Python 3
        std::optional<Known> known;
        bool closed = false; ///< of the closed world
        std::array<Role, kRoles> roles{};
        std::array<Verdict, 3> verdicts{}; ///< by Use
        bool carriesCode = false;          ///< calling it would run code
        Verdict worst{};
        bool ran = false; ///< it is called, and that would run code
    };
    /// Properties that spread from a value to all that contain it.
    enum class Trait : std::uint8_t {
        Code,   ///< a function can be reached that would run code if it is called
        Active, ///< an instance can be reached whose methods were not read
    };
    /// For each stored node one more than the node from which it has the trait, or 0. Empty: no
    /// node has it.
    using Origins = std::vector<std::uint32_t>;
    using Visitor = std::function<void(NodeId)>;

    Facts& factsFor(GlobalName name);
    /// The facts of a name, or of an attribute of one that the pickle looks up. Null: not a name.
    Facts* named(NodeId id, int depth = 0);
    Facts* namedByCall(NodeId id, int depth);
    Facts& makerOf(NodeId id, Facts& callee);

    void forEachArgument(const Facts* callee, NodeId args, const Visitor& visit);
    void forEachPart(NodeId id, const Visitor& visit);
    Origins spread(const std::function<bool(NodeId)>& begins);
    bool carriesCode(NodeId value);
    bool isActive(NodeId id);
    bool has(Trait trait, NodeId id);
    std::string originOf(Trait trait, NodeId id);

    void assessObject(NodeId id);
    void assessCall(Facts& callee, std::span<const NodeId> args, Use how);
    void assessArgument(Facts& callee, Role role, NodeId arg, std::span<const NodeId> args);
    void assessFunction(Facts& by, NodeId function, Role role);
    void assessArguments(Facts& by, Facts* function, NodeId arguments);
    void assessClass(NodeId type, Use how);
    void assessRead(Facts& by, NodeId value);
    void assessFunctions(Facts& by, NodeId value);
    void assessElements(Facts& by, NodeId value);
    void assessStored(Facts& by, NodeId value);
    void assessCodec(NodeId codec);
    void assessSpecial(NodeId id, Facts& callee);
    void assessAttribute(NodeId id, Facts& callee);
    void assessReconstructor(Facts& callee, std::span<const NodeId> args);
    void assessState(Facts& made, NodeId id, NodeId state);
    void assessElementType(NodeId id, NodeId state);
    void assessInstanceState(Facts& made, NodeId state);
    void assessContents(Facts& made, NodeId id);
    void assessKeys(NodeId id);
    void assessKey(NodeId key, int depth = 0);
    void nameFindings();

    void use(Facts& facts, Use how);
    void fails(Facts& facts); ///< the call would run code
    void find(Verdict verdict, Sentence reason);

    const PickleGraph& m_graph;
    std::deque<Facts> m_facts;
    std::deque<std::string> m_names; ///< of attributes
    std::map<std::pair<std::string_view, std::string_view>, Facts*> m_byName;
    std::vector<Facts*> m_byGlobal;
    std::unordered_map<std::uint32_t, Facts*> m_byNode;
    int m_calls = 0; ///< calls inside calls that are being judged
    Origins m_code;
    Origins m_active;
    std::vector<Finding> m_findings;
    std::unordered_set<std::string> m_reasons; ///< of the findings
    std::array<std::size_t, 6> m_found{};      ///< by verdict
    std::vector<NodeId> m_loaded;
};

} // namespace cairn::pickle

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/formats/tensorflow/object_graph.h"
#include "core/model/checkpoint.h"
#include "core/model/value.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

/// Keras 3 saves one program in two ways. TensorFlow's checkpoint has the objects of the program,
/// with the names of variables, but no classes. A `.weights.h5` has places that consist of the
/// classes of layers and numbers, with the names of layers. Both together relate each variable to
/// its place. Sources: keras 3.15 saving/saving_lib.py (_save_state, H5IOStore),
/// layers/layer.py and optimizers/base_optimizer.py (save_own_variables), tensorflow
/// python/checkpoint/graph_view.py.
namespace cairn {

struct KerasPairs {
    struct Pair {
        TensorIndex variable; ///< in TensorFlow's checkpoint
        TensorIndex place;    ///< in the file of Keras
    };
    std::vector<Pair> pairs;            ///< each place once; a variable may have two (loss scaling)
    std::vector<TensorIndex> variables; ///< that have no place
    std::vector<TensorIndex> places;    ///< that no variable belongs to
    /// Layers with variables of one shape of which no optimizer trains some: their order follows
    /// from the graph only, which does not say which of them are trainable.
    std::vector<std::string> undecided;
    std::size_t optimizers = 0;
};

/// - Optimizers: `_variables` of the graph is the list that Keras numbers, with those of inner
///   optimizers (loss scaling, several optimizers) after their own.
/// - Layers: by their names, as far as both record them (`inner/dense` in `layers/sequential/…`).
///   Keras numbers the variables that were made to be trained first: those that an optimizer lists,
///   in its order, then the others. Where an optimizer lists a part of a layer only, the parameters
///   are in the order in which the layer's object lists them.
/// `values`: of the file of Keras. Compared: counts, shapes and dtypes. Pure. Fails: Unsupported
/// (saved by Keras 2, no optimizer of Keras 3, no names of layers, places that are not numbered),
/// StateWithoutParameter (counts or shapes that differ, names that fit several layers).
Result<KerasPairs> pairKerasVariables(const Checkpoint& tensorflow,
                                      std::span<const formats::tensorflow::GraphObject> graph,
                                      const Checkpoint& keras, const Value& values);

} // namespace cairn

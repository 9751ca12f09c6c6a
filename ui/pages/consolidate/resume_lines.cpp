// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/consolidate/resume_lines.h"

#include "core/plan/trainers.h"
#include "ui/pages/consolidate/written_formats.h"
#include "ui/text/core_text.h"

#include <algorithm>
#include <array>

namespace cairn::ui {
namespace {

struct KnownTrainer {
    std::string_view id;
    std::string_view ending;
    const char* lines; ///< %1: the quoted path
};

constexpr auto kKnownTrainers = std::to_array<KnownTrainer>({
    {"torch", ".pt",
     "import torch\n"
     "state = torch.load(%1, map_location=\"cpu\", weights_only=True)\n"
     "model.load_state_dict(state[\"model\"])\n"
     "optimizer.load_state_dict(state[\"optimizer\"])\n"
     "if \"scheduler\" in state:\n"
     "    scheduler.load_state_dict(state[\"scheduler\"])\n"},
    {"fsdp2", "",
     "import torch.distributed.checkpoint as dcp\n"
     "from torch.distributed.checkpoint.state_dict import get_state_dict, set_state_dict\n"
     "weights, moments = get_state_dict(model, optimizer)\n"
     "state = {\"model\": weights, \"optimizer\": moments}\n"
     "dcp.load(state, checkpoint_id=%1)\n"
     "weights, moments = state[\"model\"], state[\"optimizer\"]\n"
     "set_state_dict(model, optimizer,\n"
     "    model_state_dict=weights,\n"
     "    optim_state_dict=moments)\n"},
    {"torchtitan", "",
     "--checkpoint.initial_load_path %1\n"
     "--no-checkpoint.initial_load_model_only\n"
     "--checkpoint.exclude_from_loading dataloader\n"},
    {"lightning", ".ckpt", "trainer.fit(module, ckpt_path=%1)\n"},
    {"lightning-fsdp", "", "trainer.fit(module, ckpt_path=%1)\n"},
    {"trainer", "", "trainer.train(resume_from_checkpoint=%1)\n"},
    {"accelerate", "", "accelerator.load_state(%1)\n"},
    {"deepspeed", "",
     "config[\"checkpoint\"] = {\"load_universal\": True}\n"
     "engine, *_ = deepspeed.initialize(model=model, config=config)\n"
     "engine.load_checkpoint(%1)\n"},
    {"megatron", "",
     "--load %1\n"
     "--ckpt-format torch_dist\n"},
    {"orbax", "",
     "import pathlib\n"
     "import orbax.checkpoint as ocp\n"
     "step = pathlib.Path(%1).absolute()\n"
     "item, = (tree.parent.name for tree in step.glob(\"*/_METADATA\"))\n"
     "with ocp.Checkpointer(ocp.CompositeCheckpointHandler()) as loader:\n"
     "    state = loader.restore(step, args=ocp.args.Composite(\n"
     "        **{item: ocp.args.StandardRestore(state)}))[item]\n"},
    {"flax", ".msgpack",
     "from flax import serialization\n"
     "with open(%1, \"rb\") as file:\n"
     "    state = serialization.from_bytes(state, file.read())\n"},
    {"tensorflow", "",
     "import tensorflow as tf\n"
     "checkpoint = tf.train.Checkpoint(model=model, optimizer=optimizer)\n"
     "checkpoint.restore(tf.train.latest_checkpoint(%1))\n"},
    {"keras", ".weights.h5",
     "model.optimizer.build(model.trainable_variables)\n"
     "model.load_weights(%1)\n"},
});

const KnownTrainer* knownTrainer(std::string_view id) {
    const auto found = std::ranges::find(kKnownTrainers, id, &KnownTrainer::id);
    return found == kKnownTrainers.end() ? nullptr : &*found;
}

} // namespace

QString trainerTitle(std::string_view id) {
    const Trainer* trainer = findTrainer(id);
    return text::coreText(trainer == nullptr ? id : trainer->title);
}

std::string_view resumeEnding(std::string_view id) {
    const KnownTrainer* trainer = knownTrainer(id);
    return trainer == nullptr ? std::string_view() : trainer->ending;
}

QString resumeLines(const JobRequest& request) {
    const KnownTrainer* trainer = knownTrainer(request.trainer);
    return trainer == nullptr
               ? QString()
               : QString::fromLatin1(trainer->lines).arg(pythonQuoted(request.output.path()));
}

} // namespace cairn::ui

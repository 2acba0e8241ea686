// Are the nodes of a comparison alike? Pairs cancel how fast a node is, and not how it answers to a change: a new
// kernel may be faster on one GPU and slower on another.
#pragma once

#include <map>
#include <string>

#include "core/record/fingerprint.h"
#include "core/study/shard_plan.h"

namespace stepgate {

/// Facts of the machine that measured `result`: cpu_model, gpu, gpu_driver, torch and cuda_runtime, as far as known.
Fingerprint machine_facts(const NodeResult& result);

/// "node1: cpu_model A; node2: cpu_model B" for the facts that both know and that differ, in the order of the places;
/// "" where all nodes are alike.
std::string unlike_nodes(const std::map<std::string, Fingerprint>& by_place);

/// What a refusal of unlike nodes advises.
inline constexpr const char* mix_knowingly =
    "measure on nodes of one kind, or say that they differ: --mixed-nodes. The report then names them";

}  // namespace stepgate

// The files of a comparison or a sweep that is spread over nodes (core/study/shard_plan.h).
#pragma once

#include <string>
#include <string_view>

#include "core/study/shard_plan.h"

namespace stepgate {

std::string to_text(const ShardPlan& plan);
std::string to_text(const ShardWork& work);
std::string to_text(const NodeResult& result);

/// All three throw Error(measure) naming `source` and the key.
ShardPlan shard_plan_from_text(std::string_view text, const std::string& source);
ShardWork shard_work_from_text(std::string_view text, const std::string& source);
NodeResult node_result_from_text(std::string_view text, const std::string& source);

}  // namespace stepgate

// The folder of a plan for nodes: on a file system that all nodes share, or sent to them.
//
//   plan.json                         what is compared, fixed before the first process (core/study/shard_plan.h)
//   head-manifest.json, policies/     of the head build
//   ab-builds/PROGRAM/{base,head}/    copies of the programs
//   programs/PROGRAM                  for a sweep: a copy of its program
//   shards/NN.K.json                  what attempt K of shard NN is to do; without one, its share of the plan
//   pairs/CASE/NNN.K.json             pair NNN as attempt K measured it; whole, and never replaced
//   rounds/CASE/NNN.K.json            the same of a round of a sweep
//   control/NN.K/NNN.json             pairs of the A/A control of that node
//   exact/CASE/000.K.json             the exact half
//   decided/CASE                      pairs before this index decide the case
//   lost/CASE/NNN                     no attempt is left for this pair
//   ended/NN.K                        the shard's last word: "done", or "unfit: WHY"
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/study/shard_plan.h"

namespace stepgate {

struct OpenedPlan {
  std::filesystem::path folder;  ///< absolute
  ShardPlan plan;
  std::string digest;  ///< digest of plan.json
};

/// Throws Error(usage) where there is no plan, Error(measure) where plan.json is malformed.
OpenedPlan open_plan(const std::filesystem::path& folder);

/// Writes plan.json, and removes what an older plan left.
OpenedPlan begin_shard_plan(const std::filesystem::path& folder, const ShardPlan& plan);

/// False where the same attempt handed this result back already: the first one stays.
bool hand_back(const OpenedPlan& opened, const NodeResult& result);

/// What that attempt of the shard is to do.
ShardWork work_of(const OpenedPlan& opened, std::int64_t shard, std::int64_t attempt);
void write_work(const OpenedPlan& opened, const ShardWork& work);
/// The lowest attempt of the shard that was never begun or asked for.
std::int64_t next_attempt(const OpenedPlan& opened, std::int64_t shard);

/// The last word of the shard itself; absent if it wrote none.
std::optional<std::string> last_word(const OpenedPlan& opened, std::int64_t shard, std::int64_t attempt);
void say_last_word(const OpenedPlan& opened, const ShardWork& work, const std::string& word);

/// Pairs before this index decide the case. The first writer's word stays. Throws Error(measure) for a file that holds
/// no number.
std::optional<std::int64_t> decided_end(const OpenedPlan& opened, const std::string& case_name);
void write_decided_end(const OpenedPlan& opened, const std::string& case_name, std::int64_t end);

bool is_lost(const OpenedPlan& opened, const std::string& case_name, std::int64_t index);
void write_lost(const OpenedPlan& opened, const std::string& case_name, std::int64_t index);

}  // namespace stepgate

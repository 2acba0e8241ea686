#include "experiment/nodes/node_coordinator.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <thread>

#include "core/error.h"
#include "core/text/excerpt.h"
#include "core/text/number_format.h"
#include "environment/guard/run_lock.h"
#include "experiment/nodes/node_decisions.h"
#include "experiment/plan/selection.h"
#include "system/elapsed.h"

namespace stepgate {
namespace {

using Clock = std::chrono::steady_clock;

/// One shard that an engine was given.
struct SubmittedShard {
  ShardWork work;
  std::string id;
  std::string node = {};
  std::optional<Clock::time_point> ended = {};
};

/// Nodes that call themselves unfit are replaced as often as this; then something is wrong with the plan.
constexpr std::int64_t most_unfit = 3;

/// Why a node called itself unfit: the first line of its last word, which anybody may have written to the plan folder.
std::string why_unfit(const std::string& word) {
  constexpr std::size_t most_characters = 1000;  // own choice: an error that names a few long paths
  return excerpt(word.substr(0, word.find('\n')), most_characters);
}

class NodeCoordination {
 public:
  NodeCoordination(const Run& run, const OpenedPlan& opened, NodeRunner& runner, std::vector<std::string> options)
      : run_(run),
        opened_(opened),
        runner_(runner),
        options_(std::move(options)),
        results_(opened),
        decisions_(run, opened) {}

  /// Returns false if a signal came. However it ends, no job stays behind.
  bool run() {
    try {
      wait_for_results();
    } catch (...) {
      try {
        cancel_open();
      } catch (const std::exception&) {  // the first error says more
      }
      throw;
    }
    cancel_open();
    look();
    return run_.caller.interrupted == 0;
  }

 private:
  void wait_for_results() {
    look();
    submit_missing();
    while (!open_.empty() && !done()) {
      if (run_.caller.interrupted != 0) break;
      std::this_thread::sleep_for(std::chrono::duration<double>(runner_.patience_s()));
      look();
      poll();
    }
  }

  void cancel_open() {
    std::vector<std::string> ids;
    for (const SubmittedShard& shard : open_) ids.push_back(shard.id);
    if (!ids.empty()) runner_.cancel(ids);
  }

  void look() {
    results_.read_new();
    decisions_.look(results_);
  }

  bool has_exact(const std::string& name) const { return !wants_exact(opened_.plan.tier) || results_.exact(name); }

  bool done() {
    return decisions_.all_decided() &&
           std::all_of(opened_.plan.cases.begin(), opened_.plan.cases.end(),
                       [&](const PlannedCase& planned) { return has_exact(planned.plan.case_name); });
  }

  /// The part of `work` that is not there yet.
  ShardWork missing_of(const ShardWork& work) {
    ShardWork missing = work;
    missing.shares.clear();
    for (const CaseShare& share : work.shares) {
      CaseShare left{.case_name = share.case_name, .pairs = {}, .exact = share.exact && !has_exact(share.case_name)};
      if (!decisions_.is_decided(share.case_name)) {
        for (const std::int64_t index : share.pairs) {
          if (results_.pair(share.case_name, index) == nullptr) left.pairs.push_back(index);
        }
      }
      if (!left.pairs.empty() || left.exact) missing.shares.push_back(std::move(left));
    }
    return missing;
  }

  /// Called at the start. Submits the first attempt, or what the attempts of an earlier coordinator that was killed
  /// left undone.
  void submit_missing() {
    for (std::int64_t shard = 1; shard <= opened_.plan.shards; ++shard) {
      const ShardWork missing = missing_of(work_of(opened_, shard, 0));
      if (!missing.shares.empty()) submit(missing);
    }
  }

  void submit(ShardWork work) {
    work.attempt = next_attempt(opened_, work.shard);
    write_work(opened_, work);
    NodeSubmission submission{.plan = opened_.folder,
                              .shards = {work.shard},
                              .attempt = work.attempt,
                              .avoided = avoided_,
                              .options = options_,
                              .gpus = gpus_of(work)};
    const auto ids = runner_.submit(submission);
    open_.push_back({std::move(work), ids.at(0)});
  }

  std::int64_t gpus_of(const ShardWork& work) const {
    std::vector<ManifestCase> cases;
    for (const CaseShare& share : work.shares) cases.push_back(case_named(run_.project.manifest, share.case_name));
    return most_gpus(cases);
  }

  void poll() {
    std::vector<std::string> ids;
    for (const SubmittedShard& shard : open_) ids.push_back(shard.id);
    const auto jobs = runner_.poll(ids);
    std::vector<SubmittedShard> over;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      SubmittedShard& shard = open_[i];
      if (!jobs[i].node.empty()) shard.node = jobs[i].node;
      // The shard's own last word comes first: an engine that lost the node's daemon still calls the job running.
      const bool said_so = last_word(opened_, shard.work.shard, shard.work.attempt).has_value();
      if (jobs[i].state != NodeJobState::ended && !said_so) continue;
      if (!shard.ended) shard.ended = Clock::now();
      if (said_so || seconds_since(*shard.ended) >= runner_.late_files_s()) over.push_back(shard);
    }
    for (const SubmittedShard& shard : over) {
      std::erase_if(open_, [&](const SubmittedShard& other) { return other.id == shard.id; });
      settle(shard);
    }
  }

  /// Submits the undone work of an ended shard again, on another node.
  void settle(const SubmittedShard& shard) {
    look();
    const ShardWork missing = missing_of(shard.work);
    if (missing.shares.empty()) return;
    const auto word = last_word(opened_, shard.work.shard, shard.work.attempt);
    const bool unfit = word && word->starts_with("unfit");
    if (!shard.node.empty()) avoided_.insert(shard.node);
    run_.caller.observer.on_notice(
        {Severity::warning, unfit ? fmt::format("shard {} on {}: {}", shard.work.shard, shard.node, why_unfit(*word))
                                  : fmt::format("shard {} on {} ended before its work was done", shard.work.shard,
                                                shard.node.empty() ? "its node" : shard.node)});
    const bool again =
        unfit ? ++unfit_[shard.work.shard] < most_unfit : ++attempts_[shard.work.shard] < most_node_attempts;
    if (again) return submit(missing);
    for (const CaseShare& share : missing.shares) {
      for (const std::int64_t index : share.pairs) write_lost(opened_, share.case_name, index);
    }
    look();
  }

  const Run& run_;
  const OpenedPlan& opened_;
  NodeRunner& runner_;
  std::vector<std::string> options_;
  NodeResults results_;
  NodeDecisions decisions_;
  std::vector<SubmittedShard> open_;
  std::set<std::string> avoided_;
  std::map<std::int64_t, std::int64_t> attempts_;  ///< ended attempts, by shard
  std::map<std::int64_t, std::int64_t> unfit_;
};

}  // namespace

void coordinate_nodes(const Run& run, const OpenedPlan& opened, NodeRunner& runner, const Coordination& coordination) {
  const char* const command = opened.plan.sweep ? "stepgate sweep --nodes" : "stepgate ab --nodes";
  const RunLock alone = RunLock::acquire({opened.folder / "coordinator.lock", command, 0});
  coordination.at_the_start();
  const bool finished = NodeCoordination(run, opened, runner, coordination.shard_options).run();
  coordination.at_the_end(finished ? 0 : run.caller.interrupted.load());
}

}  // namespace stepgate

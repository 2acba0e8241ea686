// Nodes that are this process under other names.
#pragma once

#include <fmt/format.h>

#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "experiment/fake_build.h"
#include "experiment/nodes/shard_run.h"
#include "launch/runners/node_runner.h"

namespace stepgate {

/// Runs each shard at once, as a node of the name "nodeN". What a test wants to go wrong is done by `before`.
class InstantRunner : public NodeRunner {
 public:
  /// Whether the node does its work at all.
  using Before = std::function<bool(std::int64_t shard, std::int64_t attempt)>;
  InstantRunner(const FakeBuild& build, Before before) : build_(build), before_(std::move(before)) {}

  std::vector<std::string> submit(const NodeSubmission& submission) override {
    std::vector<std::string> ids;
    for (const std::int64_t shard : submission.shards) {
      ids.push_back(fmt::format("{}.{}", shard, submission.attempt));
      submitted.push_back(ids.back());
      const std::string node = fmt::format("node{}", submission.attempt * 10 + shard);
      ::setenv("SLURMD_NODENAME", node.c_str(), 1);
      build_.program().folder().write("node", node);  // measured processes do not get the variable
      Listener listener;
      if (before_(shard, submission.attempt)) {
        run_shard({.plan = submission.plan, .shard = shard, .attempt = submission.attempt, .host = build_.host()},
                  listener.caller());
      }
      ::unsetenv("SLURMD_NODENAME");
    }
    return ids;
  }
  std::vector<NodeJob> poll(const std::vector<std::string>& ids) override {
    std::vector<NodeJob> jobs;
    for (const std::string& id : ids) jobs.push_back({id, NodeJobState::ended, "node" + id});
    return jobs;
  }
  void cancel(const std::vector<std::string>&) override {}
  double patience_s() const override { return 0; }
  double late_files_s() const override { return 0; }

  std::vector<std::string> submitted;  ///< "shard.attempt"

 private:
  const FakeBuild& build_;
  Before before_;
};

inline InstantRunner::Before always() {
  return [](std::int64_t, std::int64_t) { return true; };
}

}  // namespace stepgate

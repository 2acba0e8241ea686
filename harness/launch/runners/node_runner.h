// Starts the shards of a plan somewhere else: on parts of this machine, by a scheduler, or by a program of the user.
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace stepgate {

/// Shards that are to run, each once, at one attempt.
struct NodeSubmission {
  std::filesystem::path plan;  ///< absolute
  std::vector<std::int64_t> shards = {};
  std::int64_t attempt = 0;
  std::set<std::string> avoided = {};     ///< nodes, as poll() named them, that lost a shard or were unfit
  std::vector<std::string> options = {};  ///< options of `stepgate shard run`, e.g. "--guard", "host"
  std::int64_t gpus = 0;                  ///< how many each shard needs
};

enum class NodeJobState { waiting, running, ended };

struct NodeJob {
  std::string id;
  NodeJobState state = NodeJobState::ended;
  std::string node = {};  ///< "" while none is known
};

/// What an engine must offer. A job that ended says nothing about its results: their files do.
class NodeRunner {
 public:
  virtual ~NodeRunner() = default;
  /// One job id for each shard, in order. Throws Error(measure) where the engine refuses.
  virtual std::vector<std::string> submit(const NodeSubmission& submission) = 0;
  /// The jobs in the order of `ids`. A job that the engine no longer knows has ended.
  virtual std::vector<NodeJob> poll(const std::vector<std::string>& ids) = 0;
  virtual void cancel(const std::vector<std::string>& ids) = 0;
  /// Seconds between two polls.
  virtual double patience_s() const = 0;
  /// So long after the end of a job its files may still become visible: shared file systems answer from caches.
  virtual double late_files_s() const = 0;
};

}  // namespace stepgate

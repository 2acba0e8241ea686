// What only some forms of a step can do. A pass goes without an ability that its step does not offer.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "stepgate/token_clock.h"
#include "stepgate/training_module.h"

namespace stepgate {

class MemoryTrace;

/// The step of which stepgate owns batches and logging.
class StepSwitches {
 public:
  /// From now on boundary logging does nothing (`on` false) or what the workload does (pass logging).
  virtual void set_logging(bool on) = 0;
  /// While `resident`, data_wait and h2d keep the batch already on the device (pass synthetic).
  virtual void keep_batch(bool resident) = 0;

 protected:
  ~StepSwitches() = default;
};

/// What exact passes look at. Called between steps and boundaries.
class StepWatch {
 public:
  /// From now on held_graphs() and BatchInfo::pageable_copies are kept. That costs time, so only exact passes call it.
  virtual void watch_closely() {}
  /// Dtypes and sizes of the batch loaded last, "int64[8, 67], int64[8, 67]"; "" where they are not known. Called
  /// between the boundaries and release().
  virtual std::string input_sizes() const { return ""; }
  /// Graphs of earlier steps that are still alive, by the boundary in which something kept them. Called after
  /// release().
  virtual std::map<std::string, std::int64_t> held_graphs() const { return {}; }
  /// Marks in `trace` which blocks hold parameters, and which hold gradients that exist now.
  virtual void mark_memory(MemoryTrace& trace) const = 0;

 protected:
  ~StepWatch() = default;
};

class StepSaves {
 public:
  /// Writes a checkpoint to that path (passes checkpoint and checkpoint_bytes). False: the step's owner saves none.
  virtual bool save_checkpoint(const std::filesystem::path& path) = 0;

 protected:
  ~StepSaves() = default;
};

class StepScaling {
 public:
  /// Updates that the user's loss scaler skipped so far; absent where it scales no loss. It may read the device: called
  /// between windows and between steps of other passes only.
  virtual std::optional<std::int64_t> skipped_updates() const = 0;

 protected:
  ~StepScaling() = default;
};

/// The step of an inference case, which answers a request. Nothing is asked within a request.
class StepAnswers {
 public:
  /// Answers so far that require grad, so that each of them holds its graph.
  virtual std::int64_t graph_answers() const = 0;
  /// Modules that compute in train mode now; absent where the user's code does not tell them.
  virtual std::optional<std::vector<TrainingModule>> training_modules() const = 0;
  /// The tokens of the request that ran last.
  virtual const TokenClock& tokens() const = 0;

 protected:
  ~StepAnswers() = default;
};

/// nullptr: the step cannot do that.
struct StepAbilities {
  StepSwitches* switches = nullptr;
  StepWatch* watch = nullptr;
  StepSaves* saves = nullptr;
  StepScaling* scaling = nullptr;
  StepAnswers* answers = nullptr;

  std::optional<std::int64_t> skipped_updates() const { return scaling ? scaling->skipped_updates() : std::nullopt; }
};

}  // namespace stepgate

// The entry point of a perftest program: an explicit list of cases, and a main that runs one of them.
//
//   int main(int argc, char** argv) {
//     return stepgate::run_perftest(argc, argv, {{.name = "mine/mlp/tiny", .make = make_mlp}});
//   }
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "stepgate/step_counts.h"
#include "stepgate/step_marks.h"
#include "stepgate/workload.h"

namespace stepgate {

using WorkloadFactory = std::function<std::unique_ptr<Workload>(const CaseContext&)>;

/// A loop of your own that trains or answers requests (step_marks.h). Each pass calls it, as it calls the factory: it
/// sets up its model and runs until next_step() returns false. It runs on the calling thread, on a stack of 8 MiB.
using LoopFunction = std::function<void(StepMarks&, const CaseContext&)>;

/// Peak of the GPU memory that a case needs on each of its GPUs, in bytes, by the parameters that it runs with.
using DeviceBytesEstimate = std::function<std::int64_t(const std::map<std::string, std::string>& params)>;

/// Something besides a GPU that a machine lacks for a case, and how to get it.
struct MissingPart {
  std::string what;    ///< one sentence without a full stop: "the compiled step of this case is not built"
  std::string remedy;  ///< what to do: "run ci/compile_case"
};

/// nullopt where nothing is missing.
using FindMissing = std::function<std::optional<MissingPart>()>;

/// A workload or a loop with fixed parameters: the unit of CTest, baselines and reports.
struct Case {
  std::string name;  ///< "<suite>/<workload>/<variant>", lower case, [a-z0-9_] per part
  WorkloadFactory make = {};
  LoopFunction loop = {};         ///< instead of `make`
  std::string device = "cpu";     ///< "cpu" or "cuda": the device of this case
  std::string dtype = "float32";  ///< for matrix products and convolutions; the workload sees it as context.dtype
  /// "request_rate_per_s" gives the rate of the open loop of a case that answers requests (docs/inference.md).
  std::map<std::string, std::string> params = {};
  StepCounts steps = {};
  std::string version = "1";  ///< change it when the work itself changes on purpose
  std::int64_t ranks = 1;     ///< processes that train together; the program starts the others itself
  /// If the GPU has less memory, or less is free, the case is skipped with both figures before its workload is
  /// built. Without an estimate it is built, and fails if memory runs out. Not used on a CPU.
  DeviceBytesEstimate device_bytes = {};
  /// Asked before the workload is built. If something is missing, the case is skipped with both sentences.
  FindMissing missing = {};
};

/// Obeys argv: lists cases (`--list`, `--list --json`), runs one case for the launcher (`--stepgate_case=...`), or runs
/// as an ordinary Google Benchmark program (`--benchmark_filter=...`). The case "reference/matmul_copy/fixed" is built
/// in. Returns the process's exit status.
int run_perftest(int argc, char** argv, const std::vector<Case>& cases);

}  // namespace stepgate

// One process to start: its case, its group, its number and its folder.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/plan.h"
#include "environment/process/cpu_choice.h"
#include "launch/launch_request.h"

namespace stepgate {

struct KnownPlaces;  // launch/source_lines.h

/// What a process on an emulated GPU is started for.
enum class EmulatedRun {
  judged,
  order,  ///< to write the order of its work
  other,  ///< the same with other numbers from the GPU
  again,  ///< the same as `order`: is an order repeated at all?
};

/// References must outlive the request.
struct ReplicateRequest {
  const LaunchRequest& launch;
  const CpuChoice& cpus;
  Group group = Group::timed;
  std::int64_t index = 0;
  std::int64_t attempt = 0;
  const std::atomic<int>* interrupted = nullptr;
  KnownPlaces* places = nullptr;  ///< source lines that an earlier process of this program needed; may be nullptr
  EmulatedRun emulated_run = EmulatedRun::judged;
};

/// The fixed case that every perftest program has built in; only group reference runs it.
inline constexpr const char* reference_case_name = "reference/matmul_copy/fixed";

/// The case that this process is asked to run.
std::string case_name_of(const ReplicateRequest& request);

/// The program that this process runs. Group reference may have its own.
std::filesystem::path program_of(const ReplicateRequest& request);

/// Threads of this process: the plan's, 1 in group exact.
std::int64_t threads_of(const Plan& plan, Group group);

/// Which process of a measurement this is; its files are named after it.
struct ReplicateNumber {
  Group group = Group::timed;
  std::int64_t index = 0;
  std::int64_t attempt = 0;
  EmulatedRun emulated_run = EmulatedRun::judged;
};

/// "timed-03-0.record.json"; "order-00-0.record.json" of a process that is not judged.
std::string record_file_name(const ReplicateNumber& number);

/// "<out_dir>/timed-03-0.record.json". Names are equally long for every replicate, since the length of the command
/// line moves the stack, which changes the speed of some code.
std::filesystem::path record_path(const ReplicateRequest& request);
/// "<out_dir>/timed-03-0.output.txt": what the process printed.
std::filesystem::path output_path(const ReplicateRequest& request);
/// "<out_dir>/order-00-0.order.txt": the order of its work; of rank 1 of several
/// "<out_dir>/order-00-0.order.txt.rank1" (emulated/order_files.h).
std::filesystem::path order_path(const ReplicateRequest& request);
/// The chrome trace of a process of group profile.
std::filesystem::path trace_path(const ReplicateRequest& request);

/// The argv of a perftest program for this process (docs/design/processes_and_passes.md, "Contract of a perftest
/// program").
std::vector<std::string> perftest_command(const ReplicateRequest& request);

}  // namespace stepgate

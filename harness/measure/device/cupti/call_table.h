// Which functions of the CUDA runtime and driver count as what.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace stepgate::cupti {

enum class CallKind { kernel, graph_launch, memcpy, memset, allocation, waiting };

/// How a copy's direction is known.
enum class CopyDirection {
  unknown,
  in_parameters  ///< MemcpyParameters::direction
};

struct CallRow {
  std::string_view function;  ///< without version and stream variant: "cudaMemcpyAsync"
  CallKind kind;
  bool waits = false;  ///< the host waits in it for the device
  CopyDirection direction = CopyDirection::unknown;
};

std::span<const CallRow> call_table();

/// "cudaMemcpyAsync_ptsz_v7000" -> "cudaMemcpyAsync", "cuMemcpyHtoD_v2_ptds" -> "cuMemcpyHtoD".
std::string_view without_version(std::string_view callback_name);

/// The row of a function; nullptr where it counts as nothing.
const CallRow* find_call(std::string_view function);

/// The metric that counts a kind. Waiting calls count as device syncs, those of other kinds that wait too.
std::string_view metric_of(CallKind kind);
inline constexpr std::string_view sync_metric = "device_syncs_per_step";

/// The metrics that CUPTI counts, each once.
std::span<const std::string_view> counted_metrics();

}  // namespace stepgate::cupti

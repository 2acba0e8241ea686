#include "diagnose/merge/merge_device_causes.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/boundary.h"
#include "core/step_boundaries.h"
#include "diagnose/boundary_shares.h"
#include "diagnose/merge/taken_work.h"
#include "diagnose/work/device_call_change.h"

namespace stepgate {
namespace {

constexpr std::string_view pageable_copies = "pageable_copies_per_step";
constexpr std::string_view driver_allocations = "device_allocations_per_step";
constexpr std::string_view device_waits = "device_syncs_per_step";
constexpr std::string_view host_waits = "host_syncs_per_step";

/// Which rises a cause takes: those of one metric in one boundary, by calls of the driver that the cause makes.
struct DriverWork {
  FindingCode code;
  std::string_view metric;
  std::string_view boundary;                   ///< "": any
  std::array<std::string_view, 4> calls = {};  ///< no further call may have risen; all empty: any call
  std::string_view at_most = {};               ///< and by no more than this metric in the boundary; "": by any amount
};

// A pageable copy waits once (measure/device/cuda/cuda_queue.cpp). A free waits, so it counts as a wait. cuMemCreate
// and cuMemRelease are those of expandable segments.
constexpr std::array driver_work = {
    DriverWork{.code = FindingCode::pinning_lost, .metric = pageable_copies, .boundary = name_of(Boundary::h2d)},
    DriverWork{.code = FindingCode::pinning_lost,
               .metric = host_waits,
               .boundary = name_of(Boundary::h2d),
               .at_most = pageable_copies},
    DriverWork{.code = FindingCode::pinning_lost,
               .metric = device_waits,
               .boundary = name_of(Boundary::h2d),
               .at_most = pageable_copies},
    DriverWork{.code = FindingCode::allocator_retried,
               .metric = driver_allocations,
               .boundary = "",
               .calls = {"cudaMalloc", "cuMemCreate"}},
    DriverWork{.code = FindingCode::allocator_retried,
               .metric = device_waits,
               .boundary = "",
               .calls = {"cudaFree", "cudaEventSynchronize"}},
    DriverWork{.code = FindingCode::allocator_waited,
               .metric = driver_allocations,
               .boundary = "",
               .calls = {"cudaMalloc", "cuMemCreate"}},
    DriverWork{.code = FindingCode::allocator_waited,
               .metric = device_waits,
               .boundary = "",
               .calls = {"cudaFree", "cudaEventSynchronize"}},
    DriverWork{.code = FindingCode::pinned_in_step,
               .metric = driver_allocations,
               .boundary = "",
               .calls = {"cudaHostAlloc", "cudaMallocHost", "cudaHostRegister"}},
    DriverWork{.code = FindingCode::reserved_grew,
               .metric = driver_allocations,
               .boundary = "",
               .calls = {"cudaMalloc", "cuMemCreate"}}};

bool allows(const DriverWork& row, const std::string& call) {
  return std::find(row.calls.begin(), row.calls.end(), call) != row.calls.end();
}

bool makes_all(const JudgedComparison& input, const DriverWork& row, const std::vector<BoundaryShare>& shares) {
  return !shares.empty() && std::all_of(shares.begin(), shares.end(), [&](const BoundaryShare& share) {
    if (!row.boundary.empty() && share.boundary != row.boundary) return false;
    if (!row.at_most.empty()) {
      const double most = share_of(changed_shares(input, std::string(row.at_most)), share.boundary);
      if (share.change > most + share_rounding) return false;
    }
    if (row.calls.front().empty()) return true;
    const auto changes = device_call_changes(input, std::string(row.metric), share.boundary);
    return !changes.empty() && std::all_of(changes.begin(), changes.end(), [&](const DeviceCallChange& change) {
      return change.change <= 0 || allows(row, change.call);
    });
  });
}

void take_driver_work(const JudgedComparison& input, const DriverWork& row, Faults& faults) {
  Fault* cause = find_fault(faults, row.code);
  Fault* work = find_fault(faults, FindingCode::work_added, row.metric);
  if (cause == nullptr || work == nullptr) return;
  const std::string metric(row.metric);
  if (!makes_all(input, row, rises(changed_shares(input, metric)))) return;
  // The sentence of a cause has its own metric already.
  take(*work, metric == cause->finding.metric ? "" : rise_text(input, metric), *cause);
}

/// Reserved memory that grows raises its own peak.
void take_reserved_peak(Faults& faults) {
  Fault* growth = find_fault(faults, FindingCode::reserved_grew);
  Fault* peak = find_fault(faults, FindingCode::peak_grew, "peak_reserved_bytes");
  const bool alone = find_fault(faults, FindingCode::peak_grew, "peak_allocated_bytes") == nullptr;
  if (growth != nullptr && peak != nullptr && alone) take_whole(*peak, *growth);
}

/// A step of the warm-up of a graph does by itself what a replay does in one launch, and before a recording the cache
/// is emptied (measure/device/cuda/graphed_step.cpp).
void take_recording(const JudgedComparison& input, Faults& faults) {
  Fault* recorded = find_fault(faults, FindingCode::graphs_after_warmup);
  if (recorded == nullptr) return;
  for (Fault& work : faults) {
    if (work.merged || work.finding.code != FindingCode::work_added) continue;
    const std::string metric = work.finding.metric;
    const auto shares = rises(changed_shares(input, metric));
    const bool of_step = !shares.empty() && std::all_of(shares.begin(), shares.end(), [](const BoundaryShare& share) {
      return share.boundary == whole_step_name;
    });
    if (of_step) take(work, rise_text(input, metric), *recorded);
  }
  if (Fault* emptied = find_fault(faults, FindingCode::allocator_waited)) take_whole(*emptied, *recorded);
}

}  // namespace

void merge_device_causes(const JudgedComparison& input, Faults& faults) {
  take_recording(input, faults);  // first: it takes most
  for (const DriverWork& row : driver_work) take_driver_work(input, row, faults);
  take_reserved_peak(faults);
}

}  // namespace stepgate

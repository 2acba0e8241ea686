#include "launch/replicate/recorded_evidence.h"

#include <algorithm>

#include "environment/evidence/evidence_of.h"
#include "launch/replicate/benchmark_program.h"

namespace stepgate {
namespace {

void add_scheduling(const ReplicateRequest& request, double left_behind_cpu_s, Replicate& replicate) {
  const Plan& plan = request.launch.plan;
  const auto cpus = static_cast<std::int64_t>(request.cpus.measured.size());
  if (!replicate.record->scheduling) {
    // The kernel's count for the whole process includes its start, where its own threads wait for each other.
    add_runqueue_time({.more_threads_than_cpus = true}, replicate.evidence);
    return;
  }
  const Scheduling& seen = *replicate.record->scheduling;
  add_runqueue_time({.run_ns = seen.run_ns,
                     .wait_ns = seen.wait_ns,
                     .own_wait_ns = seen.own_wait_ns + static_cast<std::int64_t>(left_behind_cpu_s * 1e9),
                     .more_threads_than_cpus = std::max(threads_of(plan, request.group), plan.cpus) > cpus},
                    replicate.evidence);
}

/// What the process did while the other one of its pair had its window.
void add_waiting(const RunRecord& record, Evidence& evidence) {
  if (!record.waiting || record.waiting->wall_ns <= 0) return;
  evidence.values[EvidenceKey::waiting_cpu_fraction] =
      static_cast<double>(record.waiting->cpu_ns) / static_cast<double>(record.waiting->wall_ns);
}

/// From when requests were due and how late they were announced, whatever the server did with them.
void add_generator(const RunRecord& record, Evidence& evidence) {
  if (!record.open_requests || record.open_requests->arrival_ns.empty()) return;
  const OpenLoop& loop = *record.open_requests;
  evidence.values[EvidenceKey::generator_late_ns] = static_cast<double>(loop.generator_late_ns);
  if (loop.arrival_ns.back() <= 0) return;
  evidence.values[EvidenceKey::generator_late_fraction] =
      static_cast<double>(loop.generator_late_total_ns) / static_cast<double>(loop.arrival_ns.back());
}

}  // namespace

void add_recorded_evidence(const ReplicateRequest& request, double left_behind_cpu_s, Replicate& replicate) {
  if (!replicate.record) return;
  if (!runs_plain_benchmark(request)) add_scheduling(request, left_behind_cpu_s, replicate);
  add_waiting(*replicate.record, replicate.evidence);
  add_generator(*replicate.record, replicate.evidence);
}

}  // namespace stepgate

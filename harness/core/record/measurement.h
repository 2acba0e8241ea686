// All replicates of one case with their plan, environment and evidence: what `run` writes and `check` reads.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/host/knob.h"
#include "core/plan.h"
#include "core/record/evidence.h"
#include "core/record/fingerprint.h"
#include "core/record/run_record.h"
#include "core/stream_hazards.h"

namespace stepgate {

enum class FailureKind {
  crashed,
  timed_out,
  exited_nonzero,
  no_record,
  bad_record,
  wrong_case,
  not_started,
  interrupted,
  unavailable,      ///< the program reports that a device is missing: the case is skipped, not failed
  too_few_gpus,     ///< this machine offers fewer GPUs than the case needs: it is skipped, also where GPUs are required
  gpu_too_small,    ///< the case needs more memory than its GPU has: the same
  changed_setting,  ///< the program set otherwise what the launcher asked for
  infrastructure,   ///< a GPU or its driver failed, not the code: repeated once
  needs_values,     ///< on an emulated GPU that computes nothing: what is counted depends on its numbers
};

/// Why a replicate gave no usable record, with the end of its output.
struct ReplicateFailure {
  FailureKind kind = FailureKind::crashed;
  std::string message;      ///< one sentence, e.g. "killed by signal 11 (segmentation fault) after 2.1 s"
  std::string output_tail;  ///< last lines of its stdout and stderr
};

/// One fresh process. Either `record` or `failure` is present. Tainted replicates keep their record.
struct Replicate {
  Group group = Group::timed;
  std::int64_t index = 0;
  std::int64_t attempt = 0;          ///< 0, or the number of the retry after taint
  std::vector<std::string> command;  ///< argv as started
  std::map<std::string, std::string>
      environment;  ///< variables that the launcher set (an allow-list, never the user's environment)
  std::optional<RunRecord> record;
  std::optional<ReplicateFailure> failure;
  Evidence evidence;
  std::vector<std::string> taint_reasons;  ///< empty: clean
  std::string set_aside = {};  ///< why it is kept and not judged though nothing outside disturbed it; "": it is judged
  std::vector<KnobReport> knobs = {};  ///< knobs of this process: priority, affinity, ...
};

/// Whether it failed, and nothing took its place: a process that failed by infrastructure is set aside and repeated.
inline bool counts_as_failed(const Replicate& replicate) {
  const bool was_repeated =
      replicate.failure && replicate.failure->kind == FailureKind::infrastructure && !replicate.set_aside.empty();
  return replicate.failure && !was_repeated;
}

struct Measurement {
  std::string case_name;
  std::string runner_class;
  std::string utc;          ///< start, "2026-11-21T10:00:00Z"
  std::int64_t unix_s = 0;  ///< the same instant
  std::string commit;       ///< commit of the tree under test, "" if unknown; ends in "-dirty" if the tree has changes
  std::string program;      ///< path of the perftest program
  Plan plan;
  Fingerprint host;  ///< the facts that the launcher found
  GuardMode guard = GuardMode::process;
  std::vector<KnobReport> knobs = {};  ///< knobs of the host, in mode host
  std::vector<Replicate> replicates;
  /// Absent: they were not looked for.
  std::optional<StreamHazards> hazards = std::nullopt;
  std::string program_digest = {};  ///< digest of the program's bytes before the first process, "" if unknown
};

std::string_view name_of(FailureKind kind);
std::optional<FailureKind> failure_kind_named(std::string_view name);

}  // namespace stepgate

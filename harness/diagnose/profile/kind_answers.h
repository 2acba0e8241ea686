// The question of each kind of bottleneck: does it limit this step?
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "core/study/profile.h"
#include "diagnose/profile/kind_facts.h"

namespace stepgate {

/// Either a verdict or why there is none.
struct KindAnswer {
  std::optional<BottleneckVerdict> verdict = std::nullopt;
  std::string absent = {};
};

// Kinds whose resource an experiment removes (gain_kinds.cpp).
KindAnswer input_limits(const KindFacts& facts);
KindAnswer copy_limits(const KindFacts& facts);
KindAnswer optimizer_limits(const KindFacts& facts);
KindAnswer logging_limits(const KindFacts& facts);

// Kinds of a waiting host or device (queue_kinds.cpp).
KindAnswer launch_limits(const KindFacts& facts);
KindAnswer sync_limits(const KindFacts& facts);
KindAnswer exchange_limits(const KindFacts& facts);

// Kinds of the computation itself (work_kinds.cpp).
KindAnswer compute_limits(const KindFacts& facts);
KindAnswer bandwidth_limits(const KindFacts& facts);
KindAnswer operators_limit(const KindFacts& facts);

/// True unless the step is known to have time to spare for its loader: a delay of it does not reach the step, its
/// batches come too fast to limit a step, or it loads on the step's own thread. If true, the loader may set the pace as
/// soon as another resource gets faster, and an experiment that does not show T without that resource proves nothing.
bool loader_may_lead(const KindFacts& facts);

/// Why a kind of a CPU has no verdict where neither roofs nor an experiment can tell.
inline constexpr const char* roofs_not_measured =
    "no process measured the peaks of this machine, and no experiment ran";

/// Why operators of a GPU have no roof: a call returns before its kernels have run.
inline constexpr const char* times_of_the_host =
    "times of operators are those of the host that calls: no process that counts traced their kernels";

/// The answer from the account alone: likely from `screen` on, else no verdict.
KindAnswer by_screen(Bottleneck kind, double share, double screen, const std::string& says);

/// The answer from an experiment that removed the resource (gain_kinds.cpp): a gain of at most what its boundary takes.
/// `without`: "without the optimizer".
KindAnswer by_gain(const KindFacts& facts, const ExperimentResult& result, const std::string& without);

/// A verdict; its worth is at least 0.
inline KindAnswer judged(Bottleneck kind, Proof proof, double worth, std::string says) {
  return {.verdict =
              BottleneckVerdict{.kind = kind, .proof = proof, .worth = worth > 0 ? worth : 0, .says = std::move(says)}};
}

/// A verdict on what an experiment or an observation showed; a proven one keeps its interval.
inline KindAnswer judged_by(Bottleneck kind, Proof proof, const Share& shown, std::string says) {
  KindAnswer answer = judged(kind, proof, shown.value, std::move(says));
  if (proof == Proof::proven) answer.verdict->interval = shown.interval;
  return answer;
}

}  // namespace stepgate

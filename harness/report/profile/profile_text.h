// Parts of a profile as text, equal on the terminal and in Markdown.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/study/operator_view.h"
#include "core/study/profile.h"

namespace stepgate {

/// "batch_size=64, model=naive"; "" where the case has its own parameters.
std::string params_text(const Profile& profile);

/// {"step 9.28 ms", "median 9.21", "sd 0.21", ...}: all in the unit of the first. Empty where no step was timed.
std::vector<std::string> step_texts(const Profile& profile);

/// {"862 samples/s", "48.1 k effective tokens/s", "40.9 GFLOP/s = 42 % of the float32 peak"}
std::vector<std::string> rate_texts(const Profile& profile);

/// "-31 % [-34, -28]": by how much the step changes.
std::string step_change_text(double effect, const std::optional<Interval>& interval);

/// "-31 % [-34, -28]" for the step without a resource, "x 1.75 [1.73, 1.77]" for a doubled one; for a delayed one the
/// share of its delay that reaches the step: "passes 2 % [-5, 9]". "" without an effect.
std::string effect_text(const ExperimentResult& result);

/// "undecided (2 more)": so many further processes would decide.
std::string proof_text(const ExperimentResult& result);

/// "not run" and its reason, experiments of one reason together: "cuda-graph, delayed-stream: needs a GPU".
std::vector<std::string> not_run_texts(const Profile& profile);

/// "backward takes 60 % of the step, compute at roof 42 %; limits: compute 31 % (proven), bandwidth 3.0 % (undecided)":
/// the largest boundary, the largest part of the account, and the kinds that are not refuted, proven ones first. ""
/// where nothing of it is known.
std::string headline_text(const Profile& profile);

/// "input, logging": those that are refuted.
std::string refuted_text(const Profile& profile);

/// "optimizer-fused: 5.9 % [5.4 %, 6.4 %]; char_lm.cpp:68 CharLm::optimizer_step": what the advice rests on, and its
/// line.
std::string evidence_text(const Advice& advice);

/// "in backward: activations 71 %, optimizer_state 10 %"; largest first.
std::string ledger_text(const MemoryLedger& ledger);

/// "18 asked: 11 ok, 2 to look at, 1 warning"
std::string checklist_text(const std::vector<ChecklistEntry>& checklist);

/// Boundaries that were timed, in the order of a step, then those with names of their own.
std::vector<std::string> boundaries_in_order(const Profile& profile);

/// Memory after each boundary.
struct BoundaryMemoryLine {
  std::string boundary;
  std::string after;     ///< "1.25 MiB": what is allocated at its end
  std::string peak;      ///< within it
  std::string reserved;  ///< at its end; "" where the allocator keeps no such number
};
/// In the order of a step; empty where it was not recorded.
std::vector<BoundaryMemoryLine> boundary_memory_lines(const Profile& profile);

/// "The observer made steps 14 % longer; times are scaled back"; where noise hides its cost, that steps were no longer.
std::string observer_text(const Profile& profile);

/// 1 230 000 ns: "1.23"
std::string ms_text(double ns);

/// As ms_text(); "-" in a profile without times.
std::string self_time_text(const Profile& profile, double ns);

/// A table of operators without times is sorted by calls, where a time was to sort it.
OperatorView view_of(const Profile& profile, OperatorView view);

/// "emulated H100: counts and bytes, no times. What a green proves: ..."; "" for a profile of a real machine.
std::string emulated_text(const Profile& profile);

/// "12 %" from ten percent on, "5.9 %" below.
std::string short_share(double share);

}  // namespace stepgate

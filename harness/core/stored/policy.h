// The limits of a suite. A file of its own (perftests/<suite>/policy.json), so that loosening one is its own diff.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/record/evidence.h"

namespace stepgate {

/// Relative changes: 0.01 is one percent. Below `ignore` nothing matters, `matter` must never slip through.
struct Margins {
  double ignore = 0.01;
  double matter = 0.05;
};

/// An exception from the rule for a while. An expired waiver fails.
struct Waiver {
  std::string case_name;
  std::string metric;
  std::string owner;
  std::string until;  ///< last day, "2026-12-31"
  std::string reason;
};

/// Numbers and their origin: docs/design/baselines_and_policy.md, "Policy keys".
struct Policy {
  Margins margins;
  std::map<std::string, Margins> metric_margins;  ///< metric name -> own margins, e.g. first_step_ns
  double alpha = 0.05;                            ///< false red per suite
  double beta = 0.05;                             ///< false pass per metric at the matter margin
  double prior_spread = 0.02;           ///< between-session standard deviation expected before any session was seen
  double prior_weight = 4;              ///< sessions that the prior counts for
  double session_gap_s = 1800;          ///< sessions closer than this count as one
  std::int64_t confirmed_sessions = 5;  ///< from here a stored baseline alone may be red (labelled unconfirmed)
  double coarse_limit = 0.25;           ///< with fewer sessions only a change beyond this is red
  std::int64_t min_clean_replicates = 3;
  std::map<std::string, std::int64_t> exact_tolerance;  ///< metric -> allowed increase per step (default 0)
  std::int64_t bytes_tolerance = 0;                     ///< allowed increase in bytes ...
  double bytes_relative_tolerance = 0;                  ///< ... or in proportion, whichever is larger
  double loss_rtol = 1e-4;
  double loss_atol = 1e-6;
  double grad_norm_rtol = 1e-3;
  Margins final_loss_margins;             ///< of the mean final loss over seeds, in either direction
  std::int64_t numeric_steps = 21;        ///< steps 0..20 are compared
  TaintLimits taint_limits;               ///< over the defaults of core/record/evidence_key.h
  std::map<std::string, double> budgets;  ///< lower-is-better metric -> the most it may be, in its own unit
  std::vector<Waiver> waivers;
};

}  // namespace stepgate

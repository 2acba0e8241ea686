// The change against stored sessions: a prediction interval whose spread is shrunk toward the policy's prior.
#pragma once

#include <cstdint>
#include <span>

#include "core/stored/policy.h"
#include "judge/interval/decision.h"

namespace stepgate {

/// Smallest relative standard deviation between sessions: a step of 1 ms read with a clock of 100 ns resolution. The
/// floor prevents a decision from zero variance (docs/design/statistics.md, "Floor of the spread").
inline constexpr double timer_resolution = 1e-4;

struct StoredEstimate {
  Estimate estimate;
  double spread = 0;          ///< s, on the log scale
  double own_variance = 0;    ///< s_B^2; 0 with one session
  std::int64_t sessions = 0;  ///< S
};

/// theta = m_H - mean(m_B), s^2 = (w prior^2 + (S-1) s_B^2) / (S-1+w), nu = S-1+w, se = s sqrt(1 + 1/S), with prior
/// and w from the policy (docs/design/statistics.md, "Prediction interval"; prediction interval: Hahn and Meeker,
/// Statistical Intervals, chapter 4; pooled variance as the mean of a scaled inverse chi-square prior: Gelman et al.,
/// Bayesian Data Analysis, 2.6). Log means are signed so that larger is worse. Throws std::domain_error without a
/// session.
StoredEstimate stored_estimate(double current, std::span<const double> sessions, const Policy& policy);

/// The same change as if `sessions` sessions had been stored, with the variation of the present ones. One session alone
/// shows no variation, so the others are taken to equal it.
Estimate with_sessions(const StoredEstimate& stored, std::int64_t sessions, const Policy& policy);

}  // namespace stepgate

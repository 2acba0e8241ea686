// A complete ablation for writers and renderers: each recommendation, an omitted knob, discarded pairs.
#pragma once

#include "core/study/ablation.h"
#include "support/sample_doctor.h"

namespace stepgate {

inline AblatedKnob sample_ablated(const std::string& name, GuardMode mode, Recommendation recommendation,
                                  double ratio) {
  AblatedKnob ablated;
  ablated.knob = sample_knob(name, mode, KnobState::achieved, "powersave", "performance");
  ablated.knob.after = "performance";
  for (int i = 0; i < 12; ++i) {
    ablated.pairs.push_back({{1.02e6 + 300 * i, 0.012}, {1.04e6 - 700 * i, 0.02 + 0.0001 * i}, i % 3 == 0});
  }
  KnobEffect& effect = ablated.effect;
  effect.recommendation = recommendation;
  effect.spread_with = 0.021 * ratio;
  effect.spread_without = 0.021;
  effect.ratio = ratio;
  effect.ratio_interval = Interval{ratio * 0.6, ratio * 1.6};
  effect.shift = -0.041;
  effect.shift_interval = Interval{-0.05, -0.032};
  effect.within_with = 0.012;
  effect.within_without = 0.0205;
  return ablated;
}

inline Ablation sample_ablation() {
  Ablation ablation;
  ablation.case_name = "language/char_lm/tiny";
  ablation.runner_class = "bench-01";
  ablation.utc = "2026-11-21T10:00:00Z";
  ablation.commit = "9f2c1aa";
  ablation.seed = 7;
  ablation.pairs = 12;
  ablation.seconds = 1263.2;
  ablation.host = {{"cpu_model", "AMD EPYC 7763 64-Core Processor"}, {"cpu_count", "16"}};
  ablation.knobs = {sample_ablated("affinity", GuardMode::process, Recommendation::indifferent, 0.98),
                    sample_ablated("governor", GuardMode::host, Recommendation::use, 0.38),
                    sample_ablated("interrupts", GuardMode::host, Recommendation::undecided, 0.81),
                    sample_ablated("turbo", GuardMode::host, Recommendation::avoid, 1.1)};
  AblatedKnob& affinity = ablation.knobs[0];
  affinity.effect.ratio_interval = Interval{0.72, 1.33};
  affinity.effect.reason = "a factor of 1.5 either way is ruled out";
  ablation.knobs[1].effect.reason = "at most 0.61 of the spread without it; steps are faster, -4.1 %";
  AblatedKnob& interrupts = ablation.knobs[2];
  interrupts.pairs.resize(9);
  interrupts.tainted_pairs = 3;
  interrupts.failure = "killed by signal 9 (SIGKILL) after 3.1 s";
  interrupts.effect.ratio_interval = Interval{0.004, 164};
  interrupts.effect.reason = "about 43 pairs would decide it if the ratio stays the same";
  interrupts.effect.pairs_to_decide = 43;
  AblatedKnob& turbo = ablation.knobs[3];
  turbo.effect.shift = 0.112;
  turbo.effect.shift_interval = Interval{0.101, 0.123};
  turbo.effect.reason = "slower for no gain, +11.2 %";
  AblatedKnob partition;
  partition.knob = sample_refusal(sample_knob("partition", GuardMode::host, KnobState::denied), EACCES,
                                  "/sys/fs/cgroup/cgroup.procs may not be written: Permission denied",
                                  "run as root: sudo stepgate ... --guard host");
  partition.effect.reason = "not measured: " + partition.knob.reason;
  ablation.knobs.push_back(partition);
  ablation.recommended = "--guard host --knobs affinity,governor";
  return ablation;
}

}  // namespace stepgate

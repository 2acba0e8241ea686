// A complete sweep for writers and renderers: two lines, a best, noise, a failure, a knee, few CPUs.
#pragma once

#include "core/study/sweep.h"

namespace stepgate {

inline SettingRank sample_rank(std::size_t setting, Standing standing, double median, double behind) {
  SettingRank rank;
  rank.setting = setting;
  rank.standing = standing;
  rank.median = median;
  rank.interval = Interval{median * 0.98, median * 1.02};
  if (standing == Standing::best) return rank;
  rank.behind = behind;
  rank.behind_interval = Interval{behind - 0.012, behind + 0.013};
  return rank;
}

inline Sweep sample_sweep() {
  Sweep sweep;
  sweep.case_name = "vision/photo_decode/tiny";
  sweep.runner_class = "local";
  sweep.utc = "2026-11-21T10:00:00Z";
  sweep.commit = "9f2c1aa";
  sweep.metric = "samples_per_s";
  sweep.seed = 7;
  sweep.rounds = 2;
  sweep.cpus = 6;
  sweep.cpus_had = 2;
  sweep.seconds = 83.5;
  sweep.parameters = {{"loader_workers", {"0", "1", "2", "4"}}, {"batch_size", {"4", "16"}}};
  const double medians[] = {61, 66, 110, 131.5, 112, 131, 108, 0};
  for (const char* workers : {"0", "1", "2", "4"}) {
    for (const char* batch : {"4", "16"}) {
      SweepSetting setting;
      setting.values = {workers, batch};
      const double median = medians[sweep.settings.size()];
      setting.by_round = {{0, median * 0.99}, {1, median * 1.01}};
      setting.beside = {{"data_wait_ratio", 0.31}, {"stall_ratio", 0.28}, {"supply_ratio", 1.4}};
      sweep.settings.push_back(setting);
    }
  }
  sweep.settings[7].by_round.clear();
  sweep.settings[7].beside.clear();
  sweep.settings[7].failure = "killed by signal 9 (SIGKILL) after 3.1 s, perhaps because memory ran out: see dmesg";
  sweep.settings[7].output_tail = "decoding\nstd::bad_alloc <here> & there";
  sweep.settings[6].tainted = 1;
  sweep.orders = {{3, 1, 0, 2, 7, 5, 6, 4}, {0, 1, 2, 3, 4, 5, 6, 7}};
  sweep.ranking.ranks = {
      sample_rank(3, Standing::best, 131.5, 0),     sample_rank(5, Standing::within_noise, 131, 0.003),
      sample_rank(4, Standing::behind, 112, 0.174), sample_rank(2, Standing::behind, 110, 0.195),
      sample_rank(6, Standing::behind, 108, 0.217), sample_rank(1, Standing::behind, 66, 0.99),
      sample_rank(0, Standing::behind, 61, 1.15),   {.setting = 7}};
  sweep.ranking.knees = {{"loader_workers", "1", More::does_not_help, "2", -0.003, Interval{-0.018, 0.011}},
                         {"batch_size", "16", More::may_help, "4", 0.195, Interval{0.18, 0.21}}};
  return sweep;
}

}  // namespace stepgate

// One function per command. Each returns the exit status; what cannot continue is thrown.
#pragma once

#include "cli/options/options.h"

namespace stepgate {

int command_init(const Options& options);
int command_list(const Options& options);
int command_run(const Options& options);
int command_check(const Options& options);
int command_gate(const Options& options);
int command_report(const Options& options);
int command_ab(const Options& options);
int command_plan_ab(const Options& options);
int command_plan_sweep(const Options& options);
int command_shard_run(const Options& options);
int command_merge(const Options& options);
int command_compare(const Options& options);
int command_sweep(const Options& options);
int command_profile(const Options& options);
int command_doctor(const Options& options);
int command_ablate(const Options& options);
int command_recover(const Options& options);
int command_baseline_accept(const Options& options);
int command_baseline_diff(const Options& options);
int command_baseline_lint(const Options& options);
int command_baseline_show(const Options& options);
int command_history_add(const Options& options);
int command_history_import(const Options& options);
int command_history_show(const Options& options);
int command_history_check(const Options& options);
int command_history_ack(const Options& options);
int command_history_plot(const Options& options);
int command_history_export(const Options& options);

}  // namespace stepgate

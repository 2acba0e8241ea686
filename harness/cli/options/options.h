// The command line as one plain value; parse_options.h fills it, option_table.cpp says what each option accepts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace stepgate {

/// An option that was not given is absent, or has the default that stands here. Defaults that depend on the manifest
/// are filled in by read_context().
struct Options {
  std::string command;                       ///< "gate", "baseline accept", ...
  std::vector<std::string> arguments;        ///< positional: case names, or files
  std::vector<std::string> filters;          ///< --filter GLOB
  std::vector<std::string> vary;             ///< --vary NAME=VALUE,VALUE
  std::vector<std::string> pass_env;         ///< --pass-env NAME,...: one name each
  std::string metric;                        ///< --metric: what sweep ranks by, what history shows; "" = the default
  std::string law;                           ///< --law: what sweep finds a law of, instead of a ranking; "" = none
  std::optional<std::int64_t> memory_bytes;  ///< --memory: the batch that fits in so much, by the law
  std::optional<std::int64_t> most_growth;   ///< --most-growth: the law may grow by so much per token of length
  std::filesystem::path build;               ///< --build: folder with stepgate-manifest.json
  std::filesystem::path history;             ///< --history: folder of the history, "" = "history" here, or no history
                                             ///< on a report page
  std::filesystem::path history_to;          ///< --to: where history add and import add, "" = "history" here
  std::string commit;                        ///< --commit: what imported files measured, "" = as they say
  std::string since;                         ///< --since: first day that history shows, "" = all
  std::filesystem::path svg;                 ///< --svg FILE, "" = none
  std::filesystem::path csv;                 ///< --csv FILE, "" = none
  std::filesystem::path base_build;          ///< --base-build: the build that head is compared with, "" = none
  std::optional<std::int64_t> seeds;         ///< --seeds: training runs of each side whose losses are compared
  std::optional<std::int64_t> seed_steps;    ///< --seed-steps: how long each of them is
  std::optional<std::uint64_t> order_seed;   ///< --order-seed: of which side runs first; from the clock where absent
  std::optional<std::int64_t> pairs;         ///< --pairs: most pairs of an A/B run
  std::string interleave = "auto";           ///< --interleave: order within a pair: auto, processes or windows
  double budget_s = 0;                       ///< --budget: seconds of pairs a case may take, 0 = no limit
  std::string nodes;                         ///< --nodes: local:N, slurm:N or exec:PROGRAM, "" = this process alone
  std::optional<std::int64_t> shards;        ///< --shards: shares of a plan, one for each node
  std::optional<std::int64_t> attempt;       ///< --attempt: of a shard, 0 where absent
  std::string layout = "auto";               ///< --layout: auto, case or round
  bool mixed_nodes = false;                  ///< --mixed-nodes: nodes of different kinds may measure one plan
  std::filesystem::path run_lock;            ///< --run-lock: held while measuring, "" = that of the machine
  bool no_explain = false;                   ///< --no-explain: no search for the lines that take the time after a red
  std::filesystem::path out;                 ///< --out, "" = stepgate-out in the build folder
  std::filesystem::path baseline_root;       ///< --baseline-dir, "" = the manifest's
  std::filesystem::path policy_root;         ///< --policy-dir, "" = the manifest's
  std::filesystem::path data_dir;            ///< --data, "" = DATA_ROOT of the case
  std::string runner_class = "local";
  std::string tier = "all";        ///< exact, timed or all
  std::filesystem::path markdown;  ///< --markdown FILE, "" = none
  std::filesystem::path junit;     ///< --junit FILE, "" = none
  std::string reason;
  std::string color = "auto";
  std::string malloc_policy;
  std::string steps;  ///< "e2e=60,window=10"
  std::optional<std::int64_t> replicates;
  std::optional<std::int64_t> exact_replicates;
  std::optional<std::int64_t> threads;
  std::optional<std::uint64_t> seed;
  std::optional<double> timeout_s;
  std::optional<double> session_gap_s;
  double wait_lock_s = 600;
  std::string guard = "process";          ///< --guard: observe, process or host
  std::string knobs;                      ///< --knobs: the only ones to set, by name, "" = all of the mode
  std::filesystem::path state_folder;     ///< --state-dir, "" = /var/lib/stepgate
  std::optional<std::int64_t> gpu_clock;  ///< --gpu-clock MHZ: consent to lock it
  std::optional<std::int64_t> gpu_memory_clock;
  bool device = false;                 ///< --device: doctor examines the GPU instead of the host
  std::filesystem::path device_check;  ///< --device-check PROGRAM, "" = the one beside the launcher
  std::filesystem::path html;          ///< --html FILE, "" = none
  bool json = false;
  bool quiet = false;
  bool verbose = false;
  std::string phase = "operator";                                     ///< --phase: the last one of a profile
  std::string prove = "auto";                                         ///< --prove: auto, off or all
  std::string schedule = "skip=3,wait=0,warmup=2,active=5,repeat=1";  ///< --schedule: of the trace, or "none"
  std::string sort = "self";                                          ///< --sort: of the operators
  std::string by = "operator";                                        ///< --by: operator, shape or line
  std::optional<std::int64_t> rows;                                   ///< --rows of the table of operators
  std::filesystem::path trace;  ///< --trace FILE: profile accounts for it instead of a case, "" = none
  bool profile = false;         ///< --profile: a stored profile, instead of verdicts
  bool checklist = false;
  bool smoke = false;
  std::vector<std::string> exports;  ///< --export FORMAT=FILE, each as it was given
  std::filesystem::path timeline;    ///< --timeline FILE, "" = none
  bool ledger = false;
  std::string twin;           ///< --twin CASE: a case beside its eager form, "" = none
  bool distribution = false;  ///< --distribution: how the times are spread, instead of verdicts
  bool github = false;        ///< annotations on stdout, summary appended to $GITHUB_STEP_SUMMARY
  bool ctest = false;         ///< CTest measurements, and 4 and 5 become 77 (skipped)
  bool require_baseline = false;
  bool require_gpu = false;
  std::string may_skip;  ///< --may-skip CASE,...: may be skipped whatever is required
  bool local = false;
  bool append = false;
  bool replace = false;
  bool other_options = false;
  bool all = false;
  bool own_loop = false;  ///< --own-loop: init writes a project around a training loop
  bool begin = false;
  bool expect_all = false;
  bool help = false;
  bool version = false;

  friend bool operator==(const Options&, const Options&) = default;
};

}  // namespace stepgate

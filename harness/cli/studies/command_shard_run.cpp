#include "cli/studies/command_shard_run.h"

#include <fmt/format.h>

#include <charconv>

#include "cli/interrupt.h"
#include "cli/options/groups/table_style.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "core/error.h"
#include "core/text/number_format.h"
#include "experiment/nodes/shard_run.h"

namespace stepgate {
namespace {

/// 0 where the word is anything else.
std::int64_t shard_number(const std::string& word) {
  std::int64_t shard = 0;
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, shard);
  return error == std::errc{} && stop == end ? shard : 0;
}

ShardRunOptions shard_run_options(const ShardRunCommand& o) {
  const auto& words = o.arguments;
  const std::int64_t shard = words.size() == 2 ? shard_number(words[1]) : 0;
  if (shard < 1) {
    throw Error(ErrorKind::usage, "shard run takes a plan folder and the number of a shard, from 1",
                "stepgate shard run PLAN 1");
  }
  ShardRunOptions run{
      .plan = words[0], .shard = shard, .attempt = o.attempt.value_or(0), .host = host_options(o.machine)};
  if (!o.run_lock.empty()) run.host.run_lock = o.run_lock;
  return run;
}

}  // namespace

OptionRows rows_of(ShardRunCommand& o) {
  return joined({rows_of(o.machine),
                 {{Topic::machine, "run-lock", "FILE", "STEPGATE_RUN_LOCK",
                   "lock that a node holds while it measures (default: the one of the machine); nodes that share a "
                   "machine but no CPU have one each",
                   path_into(o.run_lock, "a file")},
                  {Topic::nodes, "attempt", "K", "", "number of this try at the shard (default 0)",
                   count_into(o.attempt, CountRange{.least = 0, .most = 1000})},
                  quiet_row(o.quiet)}});
}

int command_shard_run(const ShardRunCommand& o) {
  const ShardRunOptions asked = shard_run_options(o);
  const Caller caller = {.observer = terminal_observer(o.quiet), .commands = {}, .interrupted = watch_for_interrupts()};
  const ShardEnd end = run_shard(asked, caller);
  clear_progress_line(o.quiet);
  if (!end.unfit.empty()) {
    print_message(stderr, fmt::format("shard {}: unfit: {}", asked.shard, end.unfit),
                  "nothing was measured here; run the shard on another machine, or make the plan again");
    return 3;
  }
  print_line(stdout, "shard {}: {} handed back", asked.shard,
             end.rounds > 0 ? counted(end.rounds, "round") : counted(end.pairs, "pair"));
  return end.interrupted_by == 0 ? 0 : 128 + end.interrupted_by;
}

}  // namespace stepgate

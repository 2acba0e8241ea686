#include "cli/options/groups/machine.h"

#include <fmt/format.h>

#include "core/error.h"
#include "environment/guard/journal_file.h"

namespace stepgate {
namespace {

constexpr CountRange clock_mhz{.least = 1, .most = 100'000};
constexpr double longest_wait_s = 7 * 24 * 3600;

void need_guard_host(const GuardChoice& o) {
  if (o.mode == GuardMode::host) return;
  throw Error(ErrorKind::usage,
              fmt::format("{} needs --guard host, and --guard is {}",
                          o.gpu_clock ? "--gpu-clock" : "--gpu-memory-clock", name_of(o.mode)),
              "add --guard host; stepgate locks the clock of a GPU in this mode only");
}

OptionRow knobs_row(std::string& knobs) {
  return {Topic::machine,
          "knobs",
          "A,B,...",
          "",
          "set only these knobs; stepgate doctor lists their names",
          text_into(knobs, "names with commas between them, e.g. affinity,priority")};
}

OptionRow wait_lock_row(double& wait_lock_s) {
  return {Topic::machine,
          "wait-lock",
          "S",
          "",
          "seconds to wait for another run on this machine (default 600)",
          seconds_into(wait_lock_s, SecondsRange{.zero_too = true, .most_s = longest_wait_s})};
}

}  // namespace

OptionRow guard_row(GuardChoice& o) {
  return {Topic::machine,
          "guard",
          "observe|process|host",
          "STEPGATE_GUARD",
          "what stepgate may set to reduce noise: nothing, measured processes (default), or the host too",
          choice_into(o.mode, "observe|process|host", guard_mode_named)};
}

OptionRows clock_rows(GuardChoice& o) {
  return {
      {Topic::machine,
       "gpu-clock",
       "MHZ",
       "",
       "with --guard host: lock the core clock of the GPU during the run",
       count_into(o.gpu_clock, clock_mhz),
       {[&o] { need_guard_host(o); }}},
      {Topic::machine,
       "gpu-memory-clock",
       "MHZ",
       "",
       "with --guard host: lock the memory clock of the GPU during the run",
       count_into(o.gpu_memory_clock, clock_mhz),
       {[&o] { need_guard_host(o); }}},
  };
}

OptionRow state_dir_row(std::filesystem::path& state_folder) {
  return {Topic::machine,
          "state-dir",
          "DIR",
          "STEPGATE_STATE_DIR",
          "journal of --guard host (default /var/lib/stepgate)",
          path_into(state_folder, "a folder")};
}

std::filesystem::path state_folder_of(const std::filesystem::path& named) {
  return std::filesystem::absolute(named.empty() ? default_state_folder() : named);
}

HostOptions host_options(const GuardChoice& o, const std::filesystem::path& state_folder) {
  return {.mode = o.mode,
          .state_folder = state_folder_of(state_folder),
          .gpu_clock_mhz = o.gpu_clock,
          .gpu_memory_clock_mhz = o.gpu_memory_clock};
}

OptionRows rows_of(QuietMachine& o) {
  return joined({{guard_row(o.guard), knobs_row(o.knobs)}, clock_rows(o.guard), {wait_lock_row(o.wait_lock_s)}});
}

HostOptions host_options(const QuietMachine& o) {
  HostOptions host = host_options(o.guard, {});
  host.knobs = comma_separated(o.knobs);
  host.wait_lock_s = o.wait_lock_s;
  return host;
}

OptionRows rows_of(GuardedMachine& o) {
  return joined({{guard_row(o.quiet.guard), knobs_row(o.quiet.knobs)},
                 clock_rows(o.quiet.guard),
                 {state_dir_row(o.state_folder), wait_lock_row(o.quiet.wait_lock_s)}});
}

HostOptions host_options(const GuardedMachine& o) {
  HostOptions host = host_options(o.quiet);
  host.state_folder = state_folder_of(o.state_folder);
  return host;
}

}  // namespace stepgate

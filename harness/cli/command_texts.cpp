#include "cli/command_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>

#include "cli/studies_program.h"
#include "core/error.h"
#include "experiment/plan/build_folder.h"
#include "experiment/plan/emulated_run.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// The folders and files that the commands of this call name.
struct NamedPaths {
  fs::path program = {};  ///< empty: "stepgate" is on PATH, or a script starts it
  fs::path build = {};    ///< empty: it is found without --build
  fs::path out = {};      ///< empty: the default of the build
  fs::path baselines = {};
  fs::path policies = {};
  fs::path data = {};
  fs::path base_build = {};
  fs::path calibration = {};
};

/// A script that sets up the libraries and starts this program, as in a bundle.
std::string starting_script() {
  const char* script = std::getenv("STEPGATE_COMMAND");
  return script == nullptr ? "" : script;
}

fs::path own_program() {
  std::error_code failed;
  const fs::path own = launcher_of(fs::read_symlink("/proc/self/exe", failed));
  if (failed || !starting_script().empty()) return {};
  std::istringstream folders(std::getenv("PATH") == nullptr ? "" : std::getenv("PATH"));
  for (std::string folder; std::getline(folders, folder, ':');)
    if (fs::equivalent(fs::path(folder) / "stepgate", own, failed)) return {};
  return own;
}

bool is_same(const fs::path& one, const fs::path& other) {
  std::error_code missing;
  return path_from_here(one) == path_from_here(other) || fs::equivalent(one, other, missing);
}

bool is_found_without_build(const fs::path& manifest) {
  const char* named = std::getenv("STEPGATE_MANIFEST_DIR");
  const bool is_named = named != nullptr && *named != '\0';
  if (is_named && !is_same(named, manifest.parent_path())) return false;
  if (is_named && !starting_script().empty()) return true;  // the script sets the variable
  try {
    const auto found = find_manifest({});
    return found && is_same(*found, manifest);
  } catch (const Error&) {
    return false;  // several builds: one must be named
  }
}

NamedPaths named_paths(const RepeatedOptions& options, const Project& project) {
  NamedPaths paths{.program = own_program(),
                   .baselines = options.baseline_root,
                   .policies = options.policy_root,
                   .data = options.data_dir,
                   .base_build = options.base_build,
                   .calibration = options.calibration};
  if (!is_found_without_build(project.manifest.path)) paths.build = project.manifest.path.parent_path();
  if (!is_same(project.out, default_out(project.manifest.path, project.runner_class))) paths.out = project.out;
  return paths;
}

/// Relative where all of them lie below the current folder, else absolute: a command does not mix both.
NamedPaths written_alike(NamedPaths paths) {
  fs::path* const all[] = {&paths.program,  &paths.build, &paths.out,        &paths.baselines,
                           &paths.policies, &paths.data,  &paths.base_build, &paths.calibration};
  const bool inside = std::all_of(std::begin(all), std::end(all), [](const fs::path* path) {
    return path->empty() || path_from_here(*path).is_relative();
  });
  for (fs::path* path : all) {
    if (!path->empty()) *path = inside ? path_from_here(*path) : fs::absolute(*path).lexically_normal();
  }
  return paths;
}

std::string own_name(const NamedPaths& paths) {
  if (const std::string script = starting_script(); !script.empty()) return shell_quoted(script);
  return paths.program.empty() ? "stepgate" : shell_quoted(paths.program.string());
}

std::string flag(const char* name, const fs::path& path) {
  return path.empty() ? "" : fmt::format(" --{} {}", name, shell_quoted(path.string()));
}

/// Where results and baselines lie. A command that measures names the emulated GPU, which decides the class.
std::string place_flags(const RepeatedOptions& options, const NamedPaths& paths, const std::string& device_or_class) {
  std::string flags = flag("build", paths.build) + flag("out", paths.out) + device_or_class;
  if (device_or_class.empty() && options.runner_class != "local")
    flags += " --runner-class " + shell_quoted(options.runner_class);
  return flags + flag("baseline-dir", paths.baselines);
}

std::string measuring_flags(const RepeatedOptions& o, const NamedPaths& paths) {
  std::string flags;
  if (o.measuring.seed) flags += fmt::format(" --seed {}", *o.measuring.seed);
  if (o.measuring.threads) flags += fmt::format(" --threads {}", *o.measuring.threads);
  if (o.replicates) flags += fmt::format(" --replicates {}", *o.replicates);
  if (o.exact_replicates) flags += fmt::format(" --exact-replicates {}", *o.exact_replicates);
  if (!o.measuring.steps.empty()) flags += " --steps " + shell_quoted(o.measuring.steps);
  if (!o.request_rate.empty()) flags += " --request-rate " + shell_quoted(o.request_rate);
  if (!o.measuring.malloc_policy.empty()) flags += " --malloc " + o.measuring.malloc_policy;
  for (const std::string& name : o.measuring.pass_env) flags += " --pass-env " + name;
  flags += flag("data", paths.data);
  if (o.measuring.timeout_s) flags += fmt::format(" --timeout {}", *o.measuring.timeout_s);
  if (o.session_gap_s) flags += fmt::format(" --session-gap {}", *o.session_gap_s);
  if (o.guard != GuardMode::process) flags += fmt::format(" --guard {}", name_of(o.guard));
  if (!o.knobs.empty()) flags += " --knobs " + shell_quoted(o.knobs);
  return flags + flag("policy-dir", paths.policies);
}

std::string pair_flags(const PairChoice& pairs) {
  std::string flags = pairs.pairs ? fmt::format(" --pairs {}", *pairs.pairs) : "";
  if (pairs.interleave == Interleave::processes) flags += " --interleave processes";
  if (pairs.interleave == Interleave::windows) flags += " --interleave windows";
  return flags;
}

/// The emulated GPU that results at hand are of; absent for those of a machine. A runner class does not say how many.
std::optional<EmulatedDevice> emulated_device_of(const RepeatedOptions& options, const Project& project) {
  if (project.emulated) return project.emulated->device;
  return options.device ? options.device : emulated_device_of_class(project.runner_class);
}

std::string seed_flags(const RepeatedOptions& options) {
  std::string flags = options.seeds ? fmt::format(" --seeds {}", *options.seeds) : "";
  if (options.seed_steps) flags += fmt::format(" --seed-steps {}", *options.seed_steps);
  return flags;
}

}  // namespace

std::string own_command() {
  NamedPaths paths;
  paths.program = own_program();
  return own_name(paths);
}

CommandTexts command_texts(const RepeatedOptions& options, const Project& project) {
  const NamedPaths paths = written_alike(named_paths(options, project));
  const std::string own = own_name(paths);
  const std::optional<EmulatedDevice> emulated = emulated_device_of(options, project);
  const std::string place = place_flags(options, paths, emulated ? " --device " + text_of(*emulated) : "");
  const std::string stored =
      place_flags(options, paths, emulated ? " --runner-class " + runner_class_of(*emulated) : "");
  const std::string measuring = measuring_flags(options, paths);
  const std::string gated =
      measuring + (options.seeks_hazards ? " --hazards" : "") + flag("calibration", paths.calibration);
  const auto tier_flag = [](TierChoice tier) {
    return tier == TierChoice::all ? "" : fmt::format(" --tier {}", name_of(tier));
  };
  CommandTexts texts;
  texts.gate = [=](const std::string& case_name, TierChoice tier) {
    return fmt::format("{} gate {}{}{}{}", own, case_name, tier_flag(tier), place, gated);
  };
  texts.gate_all = [=](TierChoice tier, bool against_base) {
    return fmt::format("{} gate{}{}{}{}", own, tier_flag(tier), against_base ? " --base-build DIR" : "", place, gated);
  };
  texts.accept = [=](const std::string& case_name, TierChoice tier) {
    return fmt::format("{} baseline accept {}{} --reason \"...\"{}", own, case_name, tier_flag(tier), stored);
  };
  const std::string base = flag("base-build", paths.base_build);
  const std::string pairs = pair_flags(options.pairs) + seed_flags(options);
  texts.ab = [=](const std::string& case_name, std::uint64_t order_seed) {
    return fmt::format("{} ab {}{}{}{}{} --order-seed {}", own, case_name, base, place, measuring, pairs, order_seed);
  };
  const std::string limits = paths.policies.empty() ? flag("build", paths.build) : flag("policy-dir", paths.policies);
  texts.compare = [=](const fs::path& before, const fs::path& after, TierChoice tier) {
    return fmt::format("{} compare {} {}{}{}", own, shell_quoted(before.string()), shell_quoted(after.string()),
                       tier_flag(tier), limits);
  };
  return texts;
}

}  // namespace stepgate

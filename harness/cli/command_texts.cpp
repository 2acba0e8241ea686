#include "cli/command_texts.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>

namespace stepgate {

std::string shell_word(const std::string& word) {
  const bool plain = word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=,:+") ==
                     std::string::npos;
  if (plain && !word.empty()) return word;
  std::string text = "'";
  for (char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

namespace {

/// How this program was found, so that the commands can be copied as they are: "stepgate" where that is on PATH.
std::string own_name() {
  namespace fs = std::filesystem;
  // A script that sets up the libraries and starts this program, as in a bundle.
  if (const char* script = std::getenv("STEPGATE_COMMAND"); script != nullptr && *script != '\0')
    return shell_word(script);
  std::error_code failed;
  const fs::path own = fs::read_symlink("/proc/self/exe", failed);
  if (failed) return "stepgate";
  std::istringstream folders(std::getenv("PATH") == nullptr ? "" : std::getenv("PATH"));
  for (std::string folder; std::getline(folders, folder, ':');)
    if (fs::equivalent(fs::path(folder) / "stepgate", own, failed)) return "stepgate";
  const fs::path near = own.lexically_proximate(fs::current_path());
  return shell_word(near.string().starts_with("..") ? own.string() : near.string());
}

std::string place_flags(const Options& options, const Project& project) {
  std::string flags = " --build " + shell_word(project.manifest.path.parent_path().string());
  if (options.out != "stepgate-out") flags += " --out " + shell_word(options.out.string());
  if (options.runner_class != "local") flags += " --runner-class " + shell_word(options.runner_class);
  if (!options.baseline_root.empty()) flags += " --baseline-dir " + shell_word(options.baseline_root.string());
  return flags;
}

std::string measuring_flags(const Options& o) {
  std::string flags;
  if (o.seed) flags += fmt::format(" --seed {}", *o.seed);
  if (o.threads) flags += fmt::format(" --threads {}", *o.threads);
  if (o.replicates) flags += fmt::format(" --replicates {}", *o.replicates);
  if (o.exact_replicates) flags += fmt::format(" --exact-replicates {}", *o.exact_replicates);
  if (!o.steps.empty()) flags += " --steps " + shell_word(o.steps);
  if (!o.malloc_policy.empty()) flags += " --malloc " + o.malloc_policy;
  if (!o.data_dir.empty()) flags += " --data " + shell_word(o.data_dir.string());
  if (o.session_gap_s) flags += fmt::format(" --session-gap {}", *o.session_gap_s);
  return flags;
}

std::string seed_flags(const Options& options) {
  std::string flags = options.seeds ? fmt::format(" --seeds {}", *options.seeds) : "";
  if (options.seed_steps) flags += fmt::format(" --seed-steps {}", *options.seed_steps);
  return flags;
}

}  // namespace

CommandTexts command_texts(const Options& options, const Project& project) {
  const std::string own = own_name();
  const std::string place = place_flags(options, project);
  const std::string measuring = measuring_flags(options);
  const std::string policies =
      project.policy_root.empty() ? "" : " --policy-dir " + shell_word(project.policy_root.string());
  CommandTexts texts;
  texts.gate = [=](const std::string& case_name, TierChoice tier) {
    return fmt::format("{} gate {} --tier {}{}{}", own, case_name, name_of(tier), place, measuring);
  };
  texts.accept = [=](const std::string& case_name) {
    return fmt::format("{} baseline accept {} --reason \"...\"{}", own, case_name, place);
  };
  const std::string base = " --base-build " + shell_word(options.base_build.string());
  texts.ab = [=, seeds = seed_flags(options)](const std::string& case_name, std::uint64_t order_seed) {
    return fmt::format("{} ab {}{}{}{}{} --order-seed {}", own, case_name, base, place, measuring, seeds, order_seed);
  };
  texts.compare = [=](const std::filesystem::path& before, const std::filesystem::path& after, TierChoice tier) {
    return fmt::format("{} compare {} {}{}{}", own, shell_word(before.string()), shell_word(after.string()),
                       tier == TierChoice::all ? "" : fmt::format(" --tier {}", name_of(tier)), policies);
  };
  return texts;
}

}  // namespace stepgate

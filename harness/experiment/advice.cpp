#include "experiment/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <sstream>

#include "baseline/baseline_path.h"

namespace stepgate {
namespace {

/// Quotes a word for the shell where it needs it, so that the command can be copied as it is.
std::string quoted(const std::string& word) {
  const bool plain = word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=,:+") ==
                     std::string::npos;
  if (plain && !word.empty()) return word;
  std::string text = "'";
  for (char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

/// How this program was found, so that the commands can be copied as they are: "stepgate" where that is on PATH.
std::string own_name() {
  namespace fs = std::filesystem;
  // A script that sets up the libraries and starts this program, as in a bundle.
  if (const char* script = std::getenv("STEPGATE_COMMAND"); script != nullptr && *script != '\0') return quoted(script);
  std::error_code failed;
  const fs::path own = fs::read_symlink("/proc/self/exe", failed);
  if (failed) return "stepgate";
  std::istringstream folders(std::getenv("PATH") == nullptr ? "" : std::getenv("PATH"));
  for (std::string folder; std::getline(folders, folder, ':');)
    if (fs::equivalent(fs::path(folder) / "stepgate", own, failed)) return "stepgate";
  const fs::path near = own.lexically_proximate(fs::current_path());
  return quoted(near.string().starts_with("..") ? own.string() : near.string());
}

std::string place_flags(const Context& context) {
  std::string flags = " --build " + quoted(context.manifest.path.parent_path().string());
  if (context.options.out != "stepgate-out") flags += " --out " + quoted(context.options.out.string());
  if (context.options.runner_class != "local") flags += " --runner-class " + quoted(context.options.runner_class);
  if (!context.options.baseline_root.empty())
    flags += " --baseline-dir " + quoted(context.options.baseline_root.string());
  return flags;
}

std::string measuring_flags(const Options& o) {
  std::string flags;
  if (o.seed) flags += fmt::format(" --seed {}", *o.seed);
  if (o.threads) flags += fmt::format(" --threads {}", *o.threads);
  if (o.replicates) flags += fmt::format(" --replicates {}", *o.replicates);
  if (o.exact_replicates) flags += fmt::format(" --exact-replicates {}", *o.exact_replicates);
  if (!o.steps.empty()) flags += " --steps " + quoted(o.steps);
  if (!o.malloc_policy.empty()) flags += " --malloc " + o.malloc_policy;
  if (!o.data_dir.empty()) flags += " --data " + quoted(o.data_dir.string());
  if (o.session_gap_s) flags += fmt::format(" --session-gap {}", *o.session_gap_s);
  return flags;
}

std::string age(std::int64_t seconds) {
  if (seconds < 3600) return fmt::format("{} min old", std::max<std::int64_t>(0, seconds) / 60);
  if (seconds < 48 * 3600) return fmt::format("{} h old", seconds / 3600);
  return fmt::format("{} days old", seconds / 86400);
}

std::int64_t unix_seconds(const std::string& utc) {
  std::tm parts{};
  if (strptime(utc.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts) == nullptr) return 0;
  return static_cast<std::int64_t>(timegm(&parts));
}

std::string summary(const Context& context, const Baseline& baseline) {
  const Provenance& from = baseline.provenance;
  std::string text = from.commit.empty() ? "commit unknown" : from.commit;
  if (const auto then = unix_seconds(from.utc); then > 0) text += ", " + age(context.start.unix_s - then);
  if (!baseline.sessions.empty())
    text += fmt::format(", {} session{}", baseline.sessions.size(), baseline.sessions.size() == 1 ? "" : "s");
  return text;
}

bool has_new_metric(const CaseVerdict& verdict) {
  return std::any_of(verdict.metrics.begin(), verdict.metrics.end(),
                     [](const MetricVerdict& metric) { return metric.gating && metric.reason == "new-metric"; });
}

}  // namespace

void add_advice(const Context& context, const ManifestCase& entry, const BothBaselines& baselines, Outcome& outcome) {
  const std::string place = place_flags(context);
  outcome.reproduce_command = fmt::format("{} gate {} --tier {}{}{}", own_name(), entry.name, context.options.tier,
                                          place, measuring_flags(context.options));
  const Status status = outcome.verdict.status;
  const bool worth_accepting = (status != Status::pass && status != Status::skipped) || has_new_metric(outcome.verdict);
  if (!outcome.pending_path.empty() && worth_accepting)
    outcome.accept_command = fmt::format("{} baseline accept {} --reason \"...\"{}", own_name(), entry.name, place);
  const Baseline* shown = context.options.tier == "timed" ? baselines.runner : baselines.portable;
  if (shown == nullptr) shown = baselines.portable != nullptr ? baselines.portable : baselines.runner;
  if (context.options.tier == "timed") shown = baselines.runner;
  if (shown == nullptr) return;
  const std::string folder = shown->scope == Scope::portable ? std::string(portable_class) : shown->runner_class;
  outcome.baseline_path = baseline_path(context.baseline_root, folder, entry.name).string();
  outcome.baseline_summary = summary(context, *shown);
  outcome.baseline_commit = shown->provenance.commit;
  if (const auto then = unix_seconds(shown->provenance.utc); then > 0)
    outcome.baseline_age_s = context.start.unix_s - then;
}

std::string ab_command(const Context& context, const ManifestCase& entry, std::uint64_t order_seed) {
  std::string seeds = context.options.seeds ? fmt::format(" --seeds {}", *context.options.seeds) : "";
  if (context.options.seed_steps) seeds += fmt::format(" --seed-steps {}", *context.options.seed_steps);
  return fmt::format("{} ab {} --base-build {}{}{}{} --order-seed {}", own_name(), entry.name,
                     quoted(context.options.base_build.string()), place_flags(context),
                     measuring_flags(context.options), seeds, order_seed);
}

std::string compare_command(const Context& context, const std::filesystem::path& base,
                            const std::filesystem::path& head) {
  const std::string& tier = context.options.tier;
  const auto& policies = context.policy_root;
  return fmt::format("{} compare {} {}{}{}", own_name(), quoted(base.string()), quoted(head.string()),
                     tier == "all" ? "" : " --tier " + tier,
                     policies.empty() ? "" : " --policy-dir " + quoted(policies.string()));
}

void add_failures(const Measurement& measurement, Outcome& outcome) {
  for (const Replicate& replicate : measurement.replicates) {
    if (replicate.failure) outcome.failures.push_back(*replicate.failure);
  }
}

}  // namespace stepgate

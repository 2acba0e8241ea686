#include "experiment/results/result_inputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "baseline/baseline_path.h"
#include "experiment/plan/case_plan.h"
#include "launch/staged_builds.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// Collects the digests of one case.
class Collected {
 public:
  Collected(const Project& project, const ManifestCase& entry, KnownDigests& digests)
      : project_(project), entry_(entry), digests_(digests) {
    add("program", entry.program);
    if (!project.policy_root.empty()) add_text("policy", project.policy_root / entry.suite / "policy.json");
  }

  void add_baselines(TierChoice half) {
    const bool exact_on_gpu = judges_exact(half, entry_) && entry_.device == Device::cuda;
    if (judges_exact(half, entry_) && !exact_on_gpu) add_baseline("portable", Scope::portable);
    if (exact_on_gpu) add_baseline("device", Scope::device);
    // As read_case_files(): the runner's file stands in for the exact baseline of a GPU that has none.
    if (judges_timed(half) || (exact_on_gpu && !inputs_.contains("device"))) add_baseline("runner", Scope::runner);
  }

  void add_base(const fs::path& program) {
    inputs_["base_path"] = program.string();
    add("base", program);
  }

  void add_calibration(const fs::path& file) {
    inputs_["calibration_path"] = file.string();
    add_text("calibration", file);
  }

  ResultInputs take() { return std::move(inputs_); }

 private:
  void add(const char* role, const fs::path& file) {
    if (auto digest = digests_.of(file)) inputs_[role] = *std::move(digest);
  }
  void add_text(const char* role, const fs::path& file) {
    if (auto digest = digests_.of_text(file)) inputs_[role] = *std::move(digest);
  }
  void add_baseline(const char* role, Scope scope) {
    add_text(role, baseline_path(project_.baseline_root, {scope, project_.runner_class, entry_.name}));
  }

  const Project& project_;
  const ManifestCase& entry_;
  KnownDigests& digests_;
  ResultInputs inputs_;
};

struct RoleName {
  std::string_view role;  ///< as add() takes it
  const char* name;
};
constexpr std::array role_names = {RoleName{"program", "its program"}, RoleName{"policy", "its policy"},
                                   RoleName{"base", "the base build"}, RoleName{"calibration", "its calibration"}};

/// The others are baselines.
std::string name_of_role(const std::string& role) {
  const auto row =
      std::find_if(role_names.begin(), role_names.end(), [&](const RoleName& one) { return one.role == role; });
  return row == role_names.end() ? "its baseline" : row->name;
}

/// The roles that `stored` has, with the files as they are now.
ResultInputs inputs_now(const Outcome& stored, Collected now) {
  if (stored.kind.reference == ReferenceKind::stored) now.add_baselines(stored.kind.half);
  const auto path = stored.inputs.find("base_path");
  if (path != stored.inputs.end()) now.add_base(path->second);
  if (const auto file = stored.inputs.find("calibration_path"); file != stored.inputs.end())
    now.add_calibration(file->second);
  ResultInputs inputs = now.take();
  for (const char* role : {"base", "calibration"}) {  // either file may be gone
    if (const auto known = stored.inputs.find(role); known != stored.inputs.end()) inputs.insert(*known);
  }
  return inputs;
}

}  // namespace

std::optional<std::string> KnownDigests::of(const fs::path& file) { return known_or(file, file_digest); }
std::optional<std::string> KnownDigests::of_text(const fs::path& file) { return known_or(file, text_file_digest); }

std::optional<std::string> KnownDigests::known_or(const fs::path& file, Digest digest) {
  const std::lock_guard one_at_a_time(asked_);
  if (const auto known = known_.find(file); known != known_.end()) return known->second;
  if (!fs::exists(file)) return std::nullopt;
  return known_[file] = digest(file);
}

ResultInputs inputs_of_gate(const Project& project, const ManifestCase& entry, TierChoice half, KnownDigests& digests) {
  Collected inputs(project, entry, digests);
  inputs.add_baselines(half);
  if (project.calibration) inputs.add_calibration(fs::absolute(project.calibration->source));
  return inputs.take();
}

ResultInputs inputs_of_pairs(const Project& head, const ManifestCase& entry, const fs::path& base_program) {
  KnownDigests digests;
  Collected inputs(head, entry, digests);
  inputs.add_base(base_program);
  return inputs.take();
}

ResultInputs with_base_program(ResultInputs inputs, const fs::path& base_program) {
  inputs["base_path"] = base_program.string();
  if (auto digest = KnownDigests().of(base_program)) inputs["base"] = *std::move(digest);
  return inputs;
}

std::string why_of_other_files(const Project& project, const ManifestCase& entry, const Outcome& stored,
                               KnownDigests& digests) {
  if (!stored.inputs.contains("program")) return "it does not say which program it is of";
  const ResultInputs now = inputs_now(stored, Collected(project, entry, digests));
  std::set<std::string> changed;
  for (const ResultInputs* side : {&stored.inputs, &now}) {
    for (const auto& [role, digest] : *side) {
      const auto then = stored.inputs.find(role), since = now.find(role);
      if (then == stored.inputs.end() || since == now.end() || then->second != since->second)
        changed.insert(name_of_role(role));
    }
  }
  return changed.empty() ? "" : fmt::format("{} changed since", fmt::join(changed, " and "));
}

}  // namespace stepgate

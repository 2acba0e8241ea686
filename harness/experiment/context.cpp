#include "experiment/context.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "core/error.h"
#include "json/stored/manifest_json.h"
#include "json/stored/policy_json.h"
#include "system/file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

std::optional<fs::path> manifest_at_hand(const Options& options) {
  std::vector<fs::path> folders;
  if (options.build.empty())
    folders = {".", "build/release"};
  else
    folders = {options.build};
  for (const fs::path& folder : folders) {
    const fs::path candidate = fs::absolute(folder) / "stepgate-manifest.json";
    if (fs::exists(candidate)) return candidate.lexically_normal();
  }
  return std::nullopt;
}

fs::path find_manifest(const Options& options) {
  if (const auto found = manifest_at_hand(options)) return *found;
  throw Error(ErrorKind::usage,
              fmt::format("no stepgate-manifest.json in {}",
                          options.build.empty() ? "this folder or build/release" : options.build.string()),
              "build first (ci/build), or name the build folder: --build DIR");
}

}  // namespace

Context read_context(const Options& options) {
  Context context;
  context.options = options;
  const fs::path path = find_manifest(options);
  context.manifest = manifest_from_text(read_text_file(path), path);
  context.baseline_root = options.baseline_root.empty() ? context.manifest.baseline_root : options.baseline_root;
  context.policy_root = options.policy_root.empty() ? context.manifest.policy_root : options.policy_root;
  context.commit = commit_of(context.policy_root.empty() ? path.parent_path() : context.policy_root);
  context.start = now();
  return context;
}

Manifest manifest_if_at_hand(const Options& options) {
  const auto found = options.build.empty() ? manifest_at_hand(options) : find_manifest(options);
  return found ? manifest_from_text(read_text_file(*found), *found) : Manifest{};
}

void refuse_debug_build(const Manifest& manifest) {
  if (manifest.build_type == "Release" || manifest.build_type == "RelWithDebInfo") return;
  throw Error(
      ErrorKind::usage,
      fmt::format("{}: build type is '{}'; its times mean nothing", manifest.path.string(), manifest.build_type),
      "configure with -DCMAKE_BUILD_TYPE=Release (cmake --preset release)");
}

Policy read_policy(const Context& context, const std::string& suite) {
  const fs::path path = context.policy_root / suite / "policy.json";
  Policy policy;
  if (!context.policy_root.empty() && fs::exists(path)) policy = policy_from_text(read_text_file(path), path.string());
  if (context.options.session_gap_s) policy.session_gap_s = *context.options.session_gap_s;
  return policy;
}

}  // namespace stepgate

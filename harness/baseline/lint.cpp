#include "baseline/lint.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>

#include "baseline/baseline_lock.h"
#include "baseline/baseline_path.h"
#include "core/error.h"
#include "core/record/loss_sequences.h"
#include "core/stored/baseline.h"
#include "json/stored/baseline_json.h"
#include "system/files/file.h"

namespace stepgate {
namespace {

/// Other files that are allowed beside the folders of the runner classes.
constexpr std::array<std::string_view, 5> companions = {"README.md", "CHANGES.md", ".gitignore", ".gitattributes",
                                                        lock_file_name};

struct Linter {
  std::filesystem::path root;
  const Manifest* manifest;
  LintResult result;
};

void report(Linter& linter, LintProblem problem) { linter.result.problems.push_back(std::move(problem)); }

std::optional<std::int64_t> conflict_marker_line(std::string_view text) {
  std::int64_t line = 1;
  for (std::size_t begin = 0; begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view content = text.substr(begin, end - begin);
    for (const std::string_view marker : {"<<<<<<<", "=======", ">>>>>>>", "|||||||"}) {
      if (content.starts_with(marker)) return line;
    }
    begin = end + 1;
  }
  return std::nullopt;
}

/// The first line, counted from 1, in which two texts differ.
std::int64_t first_differing_line(std::string_view a, std::string_view b) {
  const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  static_cast<void>(y);
  return 1 + std::count(a.begin(), x, '\n');
}

bool is_finite(const Baseline& baseline) {
  const auto finite = [](const std::vector<double>& values) {
    return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
  };
  if (baseline.numerics) {
    for (const std::string& metric : numeric_metrics(*baseline.numerics)) {
      if (!finite(*numeric_sequence(*baseline.numerics, metric))) return false;
    }
  }
  for (const Session& session : baseline.sessions) {
    for (const auto& [metric, values] : session.timed) {
      if (!finite(values)) return false;
    }
  }
  return true;
}

void lint_place(Linter& linter, const std::filesystem::path& file, const Baseline& baseline) {
  const auto found = std::filesystem::relative(file, linter.root).generic_string();
  std::string expected;
  try {
    expected = baseline_path("", name_of(baseline)).generic_string();
  } catch (const Error& error) {
    report(linter, {file.string(), std::nullopt, "wrong-place", error.what(), error.remedy()});
    return;
  }
  if (found != expected) {
    report(linter, {file.string(), std::nullopt, "wrong-place", fmt::format("its content belongs to {}", expected),
                    "move it there, or delete it and record the baseline anew"});
  }
  if ((baseline.scope == Scope::portable) != (baseline.runner_class == portable_class)) {
    report(linter, {file.string(), std::nullopt, "wrong-place",
                    fmt::format("scope is {}, runner_class is {}", name_of(baseline.scope), baseline.runner_class),
                    "delete it and record the baseline anew"});
  }
}

void lint_sessions(Linter& linter, const std::string& file, const std::vector<Session>& sessions) {
  if (sessions.size() > max_sessions) {
    report(linter, {file, std::nullopt, "too-many-sessions",
                    fmt::format("{} sessions, at most {} are kept", sessions.size(), max_sessions),
                    "remove the oldest, or accept through 'stepgate baseline accept', which does"});
  }
  const auto earlier = [](const Session& a, const Session& b) { return a.unix_s < b.unix_s; };
  if (!std::is_sorted(sessions.begin(), sessions.end(), earlier)) {
    report(linter, {file, std::nullopt, "unsorted-sessions", "sessions are not in the order of their time",
                    "restore the file from git: only a manual edit or a merge causes this"});
  }
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (sessions[i].unix_s != sessions[j].unix_s || sessions[i].commit != sessions[j].commit) continue;
      report(linter, {file, std::nullopt, "duplicate-session",
                      fmt::format("the session of {} is stored twice", sessions[i].utc), "remove one of the two"});
    }
  }
}

void lint_content(Linter& linter, const std::filesystem::path& file, const Baseline& baseline) {
  const std::string name = file.string();
  lint_place(linter, file, baseline);
  lint_sessions(linter, name, baseline.sessions);
  if (baseline.scope != Scope::runner && !baseline.sessions.empty()) {
    report(linter, {name, std::nullopt, "times-beside-counters",
                    fmt::format("scope is {}, and it holds sessions, which only a runner baseline has",
                                name_of(baseline.scope)),
                    "restore the file from git: only a manual edit causes this"});
  }
  if (baseline.provenance.reason.empty()) {
    report(linter, {name, std::nullopt, "no-reason", "provenance.reason is empty",
                    "record it through 'stepgate baseline accept --reason ...'"});
  }
  if (baseline.key.empty()) {
    report(linter, {name, std::nullopt, "empty-key",
                    "its key names no fact, so it would be compared with any machine and any data", "record it anew"});
  }
  if (baseline.exact.empty() && baseline.bytes.empty() && !baseline.numerics && baseline.sessions.empty()) {
    report(linter, {name, std::nullopt, "empty", "it holds no value, so everything would pass", "record it anew"});
  }
  if (linter.manifest == nullptr) return;
  const auto& cases = linter.manifest->cases;
  const bool known = std::any_of(cases.begin(), cases.end(),
                                 [&](const ManifestCase& known_case) { return known_case.name == baseline.case_name; });
  if (!known) {
    report(linter, {name, std::nullopt, "orphan", fmt::format("no case is named {}", baseline.case_name),
                    "delete the file with the case, or bring the case back"});
  }
}

void lint_baseline(Linter& linter, const std::filesystem::path& file) {
  const std::string name = file.string();
  const std::string text = read_text_file(file, ErrorKind::baseline);
  if (const auto line = conflict_marker_line(text)) {
    report(linter,
           {name, line, "conflict-markers", "unresolved conflict markers of a merge",
            "take one whole side (git checkout --ours or --theirs), or measure again: two baselines cannot be merged"});
    return;
  }
  const Baseline baseline = baseline_from_text(text, name);
  if (baseline.provenance.commit.ends_with("-dirty")) ++linter.result.dirty;
  lint_content(linter, file, baseline);
  if (!is_finite(baseline)) {
    report(linter, {name, std::nullopt, "not-finite", "it holds a value that is not finite", "record it anew"});
    return;  // it has no canonical form
  }
  const std::string canonical = to_text(baseline);
  if (canonical == text) return;
  report(linter,
         {name, first_differing_line(text, canonical), "not-canonical", "not in the canonical form from this line on",
          "accept the case again: stepgate baseline accept writes the canonical form"});
}

void lint_file(Linter& linter, const std::filesystem::path& file) {
  if (std::filesystem::is_symlink(file)) {
    report(linter, {file.string(), std::nullopt, "link", "a symbolic link, and links are not followed here",
                    "put the baseline itself in its place"});
    return;
  }
  const bool at_top = file.parent_path() == linter.root;
  const std::string name = file.filename().string();
  if (at_top && std::find(companions.begin(), companions.end(), name) != companions.end()) return;
  if (at_top || file.extension() != ".json") {
    const bool temporary = file.extension() == ".tmp";
    report(linter, {file.string(), std::nullopt, "stray-file",
                    temporary ? "left behind by a write that was interrupted" : "not a baseline", "delete it"});
    return;
  }
  ++linter.result.files;
  try {
    lint_baseline(linter, file);
  } catch (const Error& error) {
    report(linter, {file.string(), std::nullopt, "unreadable", error.what(), error.remedy()});
  }
}

}  // namespace

LintResult lint_baselines(const std::filesystem::path& root, const Manifest* manifest) {
  if (!std::filesystem::is_directory(root)) {
    throw Error(ErrorKind::usage, fmt::format("{} is not a folder", root.string()),
                "name the folder that holds <runner class>/<case>.json with --baseline-dir");
  }
  Linter linter{root, manifest, {}};
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (entry.is_symlink() || !entry.is_directory()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const auto& file : files) lint_file(linter, file);
  return linter.result;
}

}  // namespace stepgate

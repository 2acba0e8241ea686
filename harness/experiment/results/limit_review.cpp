#include "experiment/results/limit_review.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "baseline/limits/limit_changes.h"
#include "core/error.h"
#include "json/stored/baseline_json.h"
#include "system/files/file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

bool is_one_folder(const fs::path& left, const fs::path& right) {
  std::error_code missing;
  return fs::equivalent(left, right, missing);
}

/// "portable/a/b/c.json", "h200/a/b/c.exact.json" -> "a/b/c"
std::string case_of_file(const std::string& file) {
  std::string name = file.substr(std::min(file.size(), file.find('/') + 1));
  for (const std::string_view ending : {".json", ".exact"}) {
    if (name.ends_with(ending)) name.resize(name.size() - ending.size());
  }
  return name;
}

/// The regular files below a folder of baselines, by their path below it. No link is followed. Throws Error where the
/// folder cannot be listed.
std::map<std::string, fs::path> baseline_files(const fs::path& root) {
  std::map<std::string, fs::path> files;
  std::error_code failed;
  if (!fs::exists(root, failed) && !failed) return files;
  for (fs::recursive_directory_iterator at(root, failed), end; !failed && at != end; at.increment(failed)) {
    if (at->path().extension() == ".json" && fs::is_regular_file(at->symlink_status(failed)))
      files.emplace(at->path().lexically_relative(root).generic_string(), at->path());
  }
  if (!failed) return files;
  throw Error(ErrorKind::baseline, fmt::format("cannot list {}: {}", root.string(), failed.message()),
              "make the folder readable");
}

/// Reads both sides and keeps what could not be read.
class LimitReader {
 public:
  LimitReader(const Project& head, const Project& base, const std::vector<ManifestCase>& cases)
      : head_(head), base_(base), whole_(cases.size() == head.manifest.cases.size()) {
    base_.session_gap_s = head.session_gap_s;  // an option of this run is no change of the tree
    for (const ManifestCase& entry : cases) chosen_.insert(entry.name);
  }

  LimitReview review() {
    if (base_.commit.ends_with("-dirty"))
      review_.unread.push_back(
          "the base has changes that are not committed: its limits may not be those of its commit");
    TreeLimits base{.cases = cases_of(base_.manifest)}, head{.cases = cases_of(head_.manifest)};
    if (can_compare("policies", {head_.policy_root, head_.manifest.policy_root, base_.policy_root})) {
      read_policies(base_, "the base", base);
      read_policies(head_, "this tree", head);
    }
    if (can_compare("baselines", {head_.baseline_root, head_.manifest.baseline_root, base_.baseline_root}))
      read_baselines(base, head);
    review_.base_commit = base_.commit;
    review_.changes = limit_changes(base, head);
    return std::move(review_);
  }

 private:
  struct Roots {
    fs::path head;
    fs::path of_manifest;
    fs::path base;
  };

  std::vector<ManifestCase> cases_of(const Manifest& manifest) const {
    std::vector<ManifestCase> cases = manifest.cases;
    if (!whole_) std::erase_if(cases, [&](const ManifestCase& entry) { return !chosen_.contains(entry.name); });
    return cases;
  }

  bool can_compare(const char* what, const Roots& roots) {
    if (roots.head.empty() && roots.base.empty()) return false;
    std::string why;
    if (!is_one_folder(roots.head, roots.of_manifest) && roots.head != roots.of_manifest) {
      why = fmt::format("{} is no folder of this tree", roots.head.string());
    } else if (is_one_folder(roots.head, roots.base)) {
      why = fmt::format("the base build names the same folder {}", roots.head.string());
    } else if (std::error_code missing; !fs::is_directory(roots.base, missing)) {
      why = fmt::format("the base has no folder {}", roots.base.string());
    }
    if (!why.empty()) review_.unread.push_back(fmt::format("{}: {}, so they are not compared", what, why));
    return why.empty();
  }

  void read_policies(const Project& project, const char* side, TreeLimits& limits) {
    std::set<std::string> suites;
    for (const ManifestCase& entry : limits.cases) suites.insert(entry.suite);
    for (const std::string& suite : suites) {
      try {
        limits.policies.emplace(suite, read_policy(project, suite));
      } catch (const std::exception& error) {
        review_.unread.push_back(fmt::format("policy of {} in {}: {}", suite, side, error.what()));
      }
    }
  }

  std::optional<std::string> text_in(const std::map<std::string, fs::path>& files, const std::string& file) {
    const auto at = files.find(file);
    if (at == files.end()) return std::nullopt;
    try {
      return read_text_file(at->second, ErrorKind::baseline);
    } catch (const Error& error) {
      review_.unread.push_back(error.what());
      return std::nullopt;
    }
  }

  std::optional<Baseline> parsed(const std::string& text, const fs::path& file) {
    try {
      return baseline_from_text(text, file.string());
    } catch (const Error& error) {
      review_.unread.push_back(error.what());
      return std::nullopt;
    }
  }

  std::optional<std::map<std::string, fs::path>> files_below(const fs::path& root) {
    try {
      return baseline_files(root);
    } catch (const Error& error) {
      review_.unread.push_back(fmt::format("baselines: {}", error.what()));
      return std::nullopt;
    }
  }

  void read_baselines(TreeLimits& base, TreeLimits& head) {
    const auto listed_before = files_below(base_.baseline_root), listed_after = files_below(head_.baseline_root);
    if (!listed_before || !listed_after) return;
    const auto &before = *listed_before, &after = *listed_after;
    std::set<std::string> names;
    for (const auto* files : {&before, &after}) {
      for (const auto& [file, path] : *files) {
        if (whole_ || chosen_.contains(case_of_file(file))) names.insert(file);
      }
    }
    for (const std::string& file : names) {
      const std::size_t told = review_.unread.size();
      const auto old_text = text_in(before, file), new_text = text_in(after, file);
      if (old_text == new_text) continue;
      auto old = old_text ? parsed(*old_text, before.at(file)) : std::nullopt;
      auto now = new_text ? parsed(*new_text, after.at(file)) : std::nullopt;
      if (review_.unread.size() > told) continue;  // a file that cannot be read is not one that is gone
      if (old) base.baselines.emplace(file, std::move(*old));
      if (now) head.baselines.emplace(file, std::move(*now));
    }
  }

  const Project& head_;
  Project base_;
  bool whole_ = false;
  std::set<std::string> chosen_;
  LimitReview review_;
};

bool holds_for(const LimitChange& change, const ManifestCase& entry) {
  switch (change.subject) {
    case LimitSubject::policy:
    case LimitSubject::varying:
      return change.suite == entry.suite;
    case LimitSubject::baseline:
      return case_of_file(change.place) == entry.name;
    case LimitSubject::waiver:
    case LimitSubject::guarded_case:
      return change.place == entry.name;
  }
  return true;
}

/// Who allows what: nobody where two reviews with something to allow name different people.
std::string allowed_by_all(const std::vector<LimitReview>& reviews) {
  std::set<std::string> names;
  for (const LimitReview& review : reviews) {
    if (loosened_count(review) > 0) names.insert(review.allowed_by);
  }
  return names.size() == 1 ? *names.begin() : "";
}

template <typename Value>
void add_new(const std::vector<Value>& more, std::vector<Value>& all) {
  for (const Value& value : more) {
    if (std::find(all.begin(), all.end(), value) == all.end()) all.push_back(value);
  }
}

}  // namespace

LimitReview review_limits(const Project& head, const Project& base, const std::vector<ManifestCase>& cases) {
  return LimitReader(head, base, cases).review();
}

LimitReview review_limits(const Project& head, const LimitBase& base, const std::vector<ManifestCase>& cases) {
  LimitReview review;
  try {
    review = review_limits(head, read_project({.build = base.build}), cases);
  } catch (const Error& error) {
    review.unread.push_back(fmt::format("the base build: {}", error.what()));
  }
  review.allowed_by = base.allowed_by;
  return review;
}

LimitReview of_case(const LimitReview& review, const ManifestCase& entry) {
  LimitReview own = review;
  std::erase_if(own.changes, [&](const LimitChange& change) { return !holds_for(change, entry); });
  return own;
}

std::optional<LimitReview> joined(const std::vector<LimitReview>& reviews) {
  if (reviews.empty()) return std::nullopt;
  LimitReview all{.base_commit = reviews.front().base_commit, .changes = {}};
  for (const LimitReview& review : reviews) {
    if (review.base_commit != all.base_commit) all.base_commit.clear();
    add_new(review.changes, all.changes);
    add_new(review.unread, all.unread);
  }
  all.allowed_by = allowed_by_all(reviews);
  loosened_first(all.changes);
  return all;
}

}  // namespace stepgate

// The inputs of a verdict: its program, its policy and its baselines. A stored verdict counts only while they are the
// same; the commit is a label.
#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "core/verdict/run_report.h"
#include "core/verdict/tier_choice.h"
#include "experiment/plan/project.h"

namespace stepgate {

/// Digests of files by role: "program", "policy", the baselines "portable", "runner" and "device"; of pairs "base", and
/// where that program lies, "base_path"; of a run with a calibration that, and "calibration_path". A file that is not
/// there has no key.
using ResultInputs = std::map<std::string, std::string>;

/// Reads each file once while a report is made: all cases of a suite may be of one large program. Several threads may
/// ask at the same time.
class KnownDigests {
 public:
  /// Absent where there is no such file.
  std::optional<std::string> of(const std::filesystem::path& file);
  /// Of a policy or baseline. Throws Error(usage) where it is larger than a text may be.
  std::optional<std::string> of_text(const std::filesystem::path& file);

 private:
  using Digest = std::string (*)(const std::filesystem::path&);
  std::optional<std::string> known_or(const std::filesystem::path& file, Digest digest);

  std::mutex asked_;
  std::map<std::filesystem::path, std::string> known_;
};

/// The inputs of a verdict against stored baselines. Take them before the files are read: if a file changes meanwhile,
/// the new verdict counts as one on the old files. It never happens that an older verdict counts as one on new files.
ResultInputs inputs_of_gate(const Project& project, const ManifestCase& entry, TierChoice half, KnownDigests& digests);

/// The inputs of a verdict on pairs with a base build.
ResultInputs inputs_of_pairs(const Project& head, const ManifestCase& entry, const std::filesystem::path& base_program);

ResultInputs with_base_program(ResultInputs inputs, const std::filesystem::path& base_program);

/// "its program and its policy changed since": why the stored verdict on the case is one of other files; "" where it is
/// of those that are there now. A base build may be gone (its place is often a temporary one), and so may a
/// calibration: then it has not changed.
std::string why_of_other_files(const Project& project, const ManifestCase& entry, const Outcome& stored,
                               KnownDigests& digests);

}  // namespace stepgate

// Which pending files the latest run did not write.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace stepgate {

/// A pending file, and the measurement that it is of.
struct PendingFile {
  std::filesystem::path path;
  std::string case_name;
  std::string runner_class;  ///< file_label()
  std::int64_t unix_s = 0;   ///< when it was measured; 0: unknown
  std::string commit;
  std::string options;  ///< as Provenance::options
};

/// Throws Error(baseline) for a damaged file.
std::vector<PendingFile> read_pending(const std::vector<std::filesystem::path>& files);

/// The files of earlier runs: of another commit than the newest, or an hour and more older than the file that was
/// written next. No case takes an hour, so within one run the files follow one another more closely.
std::vector<PendingFile> leftovers(std::vector<PendingFile> files);

/// "language/char_lm/tiny (portable), 26 h old, commit 9f2c1d0, --seed 7"
std::string describe(const PendingFile& file, std::int64_t now_unix_s);

}  // namespace stepgate

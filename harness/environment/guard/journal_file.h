// The journal on disk: appended line by line, each on the disk before what it announces is done.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/stored/journal.h"
#include "system/descriptor.h"

namespace stepgate {

/// Where the guard keeps its journal and lock: "/var/lib/stepgate". On disk, not below /run: a container's /run ends
/// with it, while what it changed of the host does not.
std::filesystem::path default_state_folder();

std::filesystem::path journal_path(const std::filesystem::path& state_folder);

/// The journal that an unfinished run left behind, absent where there is none. Throws Error(measure) where a file is
/// there and cannot be read.
std::optional<Journal> left_behind(const std::filesystem::path& state_folder);

class JournalFile {
 public:
  /// Writes run and changes as one new file, fsyncs it and its folder. Throws Error(measure) where that fails (disk
  /// full, read-only): then no knob may be touched, and no file is left.
  static JournalFile create(const std::filesystem::path& state_folder, const JournalRun& run,
                            const std::vector<KnobChange>& changes);
  /// Continues the one that is there. Throws as create() does.
  static JournalFile reopen(const std::filesystem::path& state_folder);

  /// Best effort from here on: without these lines recovery looks at the knobs themselves.
  void note_applied(std::size_t number, const std::string& after) const;
  void note_refused(std::size_t number) const;
  void note_restored(std::size_t number) const;

  /// After everything was put back. Throws nothing: a journal that stays is recovered once more, to no effect.
  void remove() const;

 private:
  JournalFile(std::filesystem::path path, Descriptor descriptor)
      : path_(std::move(path)), descriptor_(std::move(descriptor)) {}
  void append(const std::string& line) const;

  std::filesystem::path path_;
  Descriptor descriptor_;
};

}  // namespace stepgate

// The journal on disk. A change is on the disk before it is made.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/stored/journal.h"
#include "system/descriptor.h"

namespace stepgate {

/// The folder of the guard's journal and lock: "/var/lib/stepgate". On disk, not below /run: a container's /run goes
/// away with the container, while its changes of the host stay.
std::filesystem::path default_state_folder();

std::filesystem::path journal_path(const std::filesystem::path& state_folder);

/// The journal that an unfinished run left behind, absent if there is none. Throws Error(measure) if the file exists
/// and cannot be read, and if it must not be obeyed: it belongs to neither root nor this user, others may write what
/// root obeys, or a change names a file outside /sys and /proc.
std::optional<Journal> left_behind(const std::filesystem::path& state_folder);

class JournalFile {
 public:
  /// Writes run and changes as one new file, fsyncs it and its folder. Throws Error(measure) if that fails (disk
  /// full, read-only): then no knob may be touched, and no file is left.
  static JournalFile create(const std::filesystem::path& state_folder, const JournalRun& run,
                            const std::vector<KnobChange>& changes);
  /// Continues the existing one. Throws as create() does.
  static JournalFile reopen(const std::filesystem::path& state_folder);

  /// Best effort from here on: without these lines recovery reads the knobs themselves.
  void note_applied(std::size_t number, const std::string& after) const;
  void note_refused(std::size_t number) const;
  void note_restored(std::size_t number) const;

  /// Called when everything is restored. Throws nothing: a journal that stays is recovered once more, without effect.
  void remove() const;

 private:
  JournalFile(std::filesystem::path path, Descriptor descriptor)
      : path_(std::move(path)), descriptor_(std::move(descriptor)) {}
  void append(const std::string& line) const;

  std::filesystem::path path_;
  Descriptor descriptor_;
};

}  // namespace stepgate

// Where the kernel says what a process holds: its pseudo files and two folders. Each is read at most once a look, and
// the long ones only after something that is cheap to read has changed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "measure/passes/exact/child_processes.h"
#include "measure/passes/exact/folder_count.h"
#include "measure/passes/exact/process_mappings.h"

namespace stepgate {

/// A level, or why there is none.
using HeldReading = std::variant<std::int64_t, std::string>;

struct HeldPlaces {
  std::filesystem::path process = "/proc/self";
  std::filesystem::path temporary = {};  ///< folder of temporary files (TMPDIR); empty: none is named
  std::filesystem::path working = {};
  std::filesystem::path records = {};  ///< the folder in which the launcher writes: it does not count
  bool has_driver = false;             ///< of a GPU, which maps memory of its own: only mappings of files count
};

class HeldSources {
 public:
  explicit HeldSources(HeldPlaces places);

  /// The functions below tell of the time of the last look.
  void look();

  const HeldPlaces& places() const { return places_; }
  /// Mapped memory that malloc, the stacks of threads and the harness do not own.
  HeldReading mapped_bytes();
  HeldReading mapped_files();
  /// The sum of the lines of /proc/PID/status that begin with `keys`, in bytes.
  HeldReading status_bytes(std::initializer_list<std::string_view> keys);
  HeldReading threads();
  ChildProcesses& children() { return children_; }
  HeldReading temporary(std::int64_t FolderCount::*figure);
  HeldReading working_entries();
  HeldReading working_bytes();
  /// /proc/PID/maps as it is now.
  const std::string& maps();
  FolderQuestion temporary_question() const;
  FolderQuestion working_question() const;

 private:
  struct Mapped {
    MappedMemory memory;
    std::int64_t of_others = 0;  ///< bytes of malloc and of the harness among them
  };
  struct Written {
    std::int64_t calls = 0;
    std::int64_t bytes = 0;
  };
  void read_mapped();
  void read_working();
  std::optional<Written> written() const;

  HeldPlaces places_;
  ChildProcesses children_;
  std::string status_;
  std::string maps_;
  std::string statm_of_mapped_;  ///< sizes of the memory when it was read
  std::optional<Mapped> mapped_;
  bool was_temporary_read_ = false;
  std::optional<FolderCount> temporary_;
  bool working_is_new_ = false;
  std::string why_no_working_;
  std::optional<Written> written_at_begin_;
  Written written_;
  FolderCount working_at_begin_;
  FolderCount working_;
};

}  // namespace stepgate

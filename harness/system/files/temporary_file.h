// A file that others see only once all of it is written.
#pragma once

#include <filesystem>
#include <string_view>

#include "system/descriptor.h"

namespace stepgate {

/// Makes the missing folders of `path`. Throws Error(measure) naming it.
void create_folder_of(const std::filesystem::path& path);

/// What a crash of the machine may leave of a file that was replaced.
enum class AfterCrash {
  old_or_new,
  perhaps_empty,  ///< nothing is flushed to the disk, which takes a third of the time of many small files
};

/// A new file in the folder of `target`, which has to exist. It has no name while it is written, so nothing stays where
/// its writer is killed. File systems that have no such files (NFS), and a machine without /proc, get one beside the
/// target, ".stepgate-PID-N.tmp". Every function throws Error(measure) naming the target.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::filesystem::path& target);
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();

  /// Takes the permissions of `model`, where it exists.
  void set_permissions_of(const std::filesystem::path& model) const;
  void write(std::string_view text) const;
  /// What was written is on the disk then. replace_target() and become_target() do this, too.
  void flush() const;
  /// Puts it in the place of whatever the target names.
  void replace_target(AfterCrash after_crash = AfterCrash::old_or_new);
  /// The same, but what is there stays. False then.
  bool become_target();

 private:
  bool is_nameless() const { return path_.empty(); }
  /// 0, or the errno.
  int link_to(const std::filesystem::path& name) const;
  void open_beside_target();
  void take_name_beside_target();
  void take_the_place_of_target();
  void close_named();
  void flush_folder() const;
  void require(std::string_view step, int error) const;

  std::filesystem::path target_;
  std::filesystem::path path_;  ///< its name; empty while it has none
  Descriptor file_;
};

}  // namespace stepgate

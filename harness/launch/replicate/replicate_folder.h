// The folder of temporary files that one measured process has for itself.
#pragma once

#include <filesystem>

#include "environment/process/variables.h"
#include "system/files/fresh_folder.h"

namespace stepgate {

/// An empty folder below the user's own folder of temporary files, or beside `record` where that cannot be written. It
/// is removed with the object; one that a killed launcher left is removed by the next process of the same record. Its
/// path has the same length for each process, since the environment lies on the stack.
class ReplicateFolder {
 public:
  /// `variables`: the environment of the process, with the user's TMPDIR. Throws Error(measure) where no folder can be
  /// made.
  ReplicateFolder(const Variables& variables, const std::filesystem::path& record);

  /// The environment with TMPDIR, TMP and TEMP leading to the folder.
  Variables with_folder(Variables variables) const;

  const std::filesystem::path& path() const { return folder_.path(); }

 private:
  FreshFolder folder_;
};

}  // namespace stepgate

// A new project that is gated from its first build: `stepgate init`.
#pragma once

#include <filesystem>
#include <vector>

#include "experiment/studies/project_templates.h"

namespace stepgate {

struct NewProject {
  std::vector<std::filesystem::path> written;    ///< relative to the folder, in the order of their names
  std::vector<std::filesystem::path> unchanged;  ///< were there already, with the same text
};

/// Writes the files of a project into `folder`, all of them or none. Throws Error(usage) that names the existing files
/// with another text, and Error(measure) if a file cannot be written. After a kill the same call completes it.
NewProject write_new_project(const std::filesystem::path& folder, ProjectKind kind);

}  // namespace stepgate

// The files of templates/project, which CMake compiles in (ci/cmake/templates.cmake).
#pragma once

#include <span>
#include <string_view>

namespace stepgate {

/// What the job of a new project is.
enum class ProjectKind {
  workload,   ///< a workload class that trains
  own_loop,   ///< a training loop of its own
  inference,  ///< a workload class that answers requests
  gpu         ///< a workload class that trains, with a case for a GPU, real or emulated
};

struct TemplateFile {
  std::string_view path;  ///< below the folder of the project
  std::string_view text;
};

/// Files of every project.
std::span<const TemplateFile> templates_of_both();
/// Files of projects of one kind.
std::span<const TemplateFile> templates_of(ProjectKind kind);

}  // namespace stepgate

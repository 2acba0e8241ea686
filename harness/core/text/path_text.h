// Text of a file or an option that becomes part of a path. Each kind has one form, and the form has no way out of the
// folder that the path begins with: no "..", no root, no hidden name.
#pragma once

#include <string>
#include <string_view>

namespace stepgate {

enum class PathText {
  case_name,     ///< folders of results and baselines
  suite,         ///< folder of a policy
  runner_class,  ///< folder of baselines and pending files
  file_name,     ///< part of the name of a file or folder: of a history, of a plan for nodes
  utc,           ///< a time; its digits become folders
};

/// `text`, where it has the form of its kind. Throws Error(usage) naming the kind, the text and the form.
const std::string& path_text(PathText kind, const std::string& text);

/// Whether `text` has the form of its kind.
bool is_path_text(PathText kind, std::string_view text);

}  // namespace stepgate

// One line that GitHub's runner acts on: "::error file=...,line=7,title=...::message".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace stepgate {

struct WorkflowAnnotation {
  std::string_view kind;  ///< "error", "warning" or "notice"
  std::string file;       ///< relative to the repository; "" for none
  std::int64_t line = 0;  ///< 0 for none
  std::string title;
  std::string message;  ///< may hold line breaks
};

/// Ends with a line end and holds no other: whatever the texts hold, the runner reads exactly this one command. Title
/// and message lose control characters and the middle of what is longer than GitHub shows.
std::string workflow_command(const WorkflowAnnotation& annotation);

}  // namespace stepgate

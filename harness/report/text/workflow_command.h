// One command line for GitHub's runner: "::error file=...,line=7,title=...::message".
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

/// Contains exactly one line end, at its end, so the runner always reads exactly one command. Title and message lose
/// control characters, and the middle of a text that is longer than GitHub shows.
std::string workflow_command(const WorkflowAnnotation& annotation);

}  // namespace stepgate

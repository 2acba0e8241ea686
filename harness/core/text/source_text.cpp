#include "core/text/source_text.h"

namespace stepgate {

std::string source_text(const SourceFrame& frame) {
  if (frame.file.empty()) return frame.function;
  const std::string line = frame.line > 0 ? ":" + std::to_string(frame.line) : "";
  return frame.file + line + (frame.function.empty() ? "" : " in " + frame.function);
}

std::string source_list_text(const std::vector<SourceFrame>& frames) {
  std::string text;
  for (const SourceFrame& frame : frames) text += (text.empty() ? "" : ", ") + source_text(frame);
  return text;
}

}  // namespace stepgate

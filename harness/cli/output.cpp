#include "cli/output.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "report/text/clean_text.h"
#include "report/text/log_text.h"

namespace stepgate {
namespace {

/// Both may be one file, and stdout has a buffer: what was printed before stands before a message, and whole.
void write(std::FILE* to, std::string_view text) {
  if (to == stderr) std::fflush(stdout);
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), to));
}

/// Indents the text behind each line break.
std::string indented(std::string_view text) {
  std::string result;
  for (const char c : text) result += c == '\n' ? std::string("\n    ") : std::string(1, c);
  return result;
}

}  // namespace

void print_text(std::FILE* to, std::string_view text) { write(to, log_text(text, Colours::removed)); }

void print_message(std::FILE* to, std::string_view text, std::string_view next) {
  print_text(to, (to == stderr ? "stepgate: " : "") + indented(text) + '\n');
  if (!next.empty()) print_text(to, "  next: " + indented(next) + '\n');
}

void print_page(std::FILE* to, std::string_view page, const ConsoleStyle& style) {
  write(to, log_text(page, style.color ? Colours::kept : Colours::removed));
}

void print_json(std::string_view document) { write(stdout, log_json(document)); }

void print_commands(std::FILE* to, std::string_view lines) { write(to, lines); }

void print_status_line(std::string_view text) {
  write(stderr, "\r\x1b[K" + terminal_text(text, false));
  std::fflush(stderr);
}

int finish_output() {
  if (std::fflush(stdout) != 0) return errno;
  if (std::ferror(stdout) == 0) return 0;
  // The cause of an earlier error is not kept: a further byte meets it again.
  const char end = '\n';
  return ::write(STDOUT_FILENO, &end, 1) < 0 ? errno : EIO;
}

}  // namespace stepgate

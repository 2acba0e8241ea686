#include "report/gate/skip_reason.h"

#include <algorithm>
#include <string_view>

namespace stepgate {
namespace {

/// The line of a rank without its "[rank 1] "; "" for a line of the process that started the ranks.
std::string_view line_of_rank(std::string_view line) {
  const std::size_t end = line.starts_with("[rank ") ? line.find("] ") : std::string_view::npos;
  return end == std::string_view::npos ? std::string_view() : line.substr(end + 2);
}

/// What the last line of `text` that begins with `start` says after it, "" where there is none. A rank's line comes
/// first: the process that started the ranks only says that one failed.
std::string last_line_after(std::string_view text, std::string_view start) {
  std::string found;
  std::string of_rank;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    if (line.starts_with(start)) found = line.substr(start.size());
    const std::string_view rank_line = line_of_rank(line);
    if (rank_line.starts_with(start)) of_rank = rank_line.substr(start.size());
    begin = end + 1;
  }
  return of_rank.empty() ? found : of_rank;
}

/// "--stepgate_device=cuda: no CUDA device ..." without the option, which stepgate set and no user did.
std::string without_option(const std::string& text) {
  const std::size_t colon = text.find(": ");
  return text.starts_with("--") && colon != std::string::npos ? text.substr(colon + 2) : text;
}

/// What the program says to do next; "" for options that stepgate set itself.
std::string remedy_of(const ReplicateFailure& failure) {
  const std::string next = last_line_after(failure.output_tail, "next: ");
  return next.find("--stepgate_") == std::string::npos ? next : "";
}

}  // namespace

std::string skip_reason(const Outcome& outcome) {
  for (const ReplicateFailure& failure : outcome.failures) {
    const std::string said = without_option(last_line_after(failure.output_tail, "perftest: "));
    if (said.empty()) continue;
    const std::string next = remedy_of(failure);
    return next.empty() ? said : said + "; next: " + next;
  }
  return outcome.failures.empty() ? outcome.verdict.detail : outcome.failures.front().message;
}

}  // namespace stepgate

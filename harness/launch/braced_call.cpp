#include "launch/braced_call.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <map>
#include <set>

#include "launch/source_tree.h"
#include "launch/user_file.h"
#include "system/elapsed.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

/// A project takes milliseconds. Debug information may name any number of calls at the end of a source of any length.
constexpr double mending_patience_s = 5;

bool is_name_letter(char letter) { return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_'; }

bool is_space(char letter) { return std::isspace(static_cast<unsigned char>(letter)) != 0; }

std::size_t indentation(const std::string& line) {
  return static_cast<std::size_t>(std::find_if_not(line.begin(), line.end(), is_space) - line.begin());
}

bool is_closing_brace_alone(const std::string& line) {
  const std::size_t at = indentation(line);
  return at < line.size() && line[at] == '}' &&
         std::all_of(line.begin() + static_cast<std::ptrdiff_t>(at) + 1, line.end(),
                     [](char letter) { return is_space(letter); });
}

/// Lines count from 0. The nearest line above that is indented as little as the closing brace: the function's head.
std::size_t head_of_function(const Lines& lines, std::size_t closing) {
  const std::size_t depth = indentation(lines[closing]);
  std::size_t at = closing;
  while (at > 0) {
    const std::string& line = lines[--at];
    const std::size_t indented = indentation(line);
    if (indented < line.size() && indented <= depth) return at;
  }
  return at;
}

/// Reads a function, and notes on which lines `callee` is called within a braced list.
class BracedCalls {
 public:
  explicit BracedCalls(std::string_view callee) : callee_(callee) {}

  void read(const std::string& line, std::size_t number) {
    for (std::size_t at = 0; at < line.size(); ++at) {
      if (line.compare(at, 2, "//") == 0) return;
      if (line[at] == '"') {
        at = end_of_text(line, at);
      } else if (is_name_letter(line[at])) {
        at = read_word(line, at, number);
      } else if (!is_space(line[at])) {
        read_sign(line[at]);
      }
    }
  }

  std::set<std::size_t> found;  ///< lines, from 0

 private:
  enum class Bracket { list, block, other };

  std::size_t end_of_text(const std::string& line, std::size_t at) {
    before_ = "\"";
    for (++at; at < line.size() && line[at] != '"'; ++at) at += line[at] == '\\' ? 1 : 0;
    return at;
  }

  std::size_t read_word(const std::string& line, std::size_t at, std::size_t number) {
    std::size_t end = at;
    while (end < line.size() && is_name_letter(line[end])) ++end;
    before_ = line.substr(at, end - at);
    const bool is_call = end < line.size() && (line[end] == '(' || line[end] == '<');
    if (before_ == callee_ && is_call && is_in_list()) found.insert(number);
    return end - 1;
  }

  void read_sign(char sign) {
    if (sign == '{') open_.push_back(begins_block() ? Bracket::block : Bracket::list);
    if (sign == '(' || sign == '[') open_.push_back(Bracket::other);
    if ((sign == '}' || sign == ')' || sign == ']') && !open_.empty()) open_.pop_back();
    before_ = std::string(1, sign);
  }

  /// What stands before a brace says whether it opens a block or a list.
  bool begins_block() const {
    static const std::set<std::string> before_blocks = {"",   ")",   ";",        "{",     "}",      "else",
                                                        "do", "try", "noexcept", "const", "mutable"};
    return before_blocks.contains(before_);
  }

  /// Within a list, whatever parentheses are between, but not in the body of a lambda there.
  bool is_in_list() const {
    const auto nearest = std::find_if(open_.rbegin(), open_.rend(), [](Bracket one) { return one != Bracket::other; });
    return nearest != open_.rend() && *nearest == Bracket::list;
  }

  std::string_view callee_;
  std::vector<Bracket> open_;
  std::string before_;
};

/// "Tensor::clone" is "clone".
std::string_view last_name(std::string_view function) {
  const std::size_t colon = function.rfind("::");
  return colon == std::string_view::npos ? function : function.substr(colon + 2);
}

}  // namespace

std::optional<std::int64_t> line_of_braced_call(const Lines& lines, std::int64_t closing_line,
                                                std::string_view callee) {
  if (closing_line < 1 || closing_line > static_cast<std::int64_t>(lines.size()) || callee.empty()) return std::nullopt;
  const auto closing = static_cast<std::size_t>(closing_line - 1);
  if (!is_closing_brace_alone(lines[closing])) return std::nullopt;
  BracedCalls calls(callee);
  for (std::size_t at = head_of_function(lines, closing); at < closing; ++at) calls.read(lines[at], at);
  if (calls.found.size() != 1) return std::nullopt;
  return static_cast<std::int64_t>(*calls.found.begin()) + 1;
}

void mend_braced_calls(FramesByOffset& frames, const fs::path& source_root) {
  const auto start = std::chrono::steady_clock::now();
  std::map<std::string, Lines> sources;
  for (auto& [offset, list] : frames) {
    if (seconds_since(start) > mending_patience_s) return;
    for (std::size_t outer = 1; outer < list.size(); ++outer) {
      SourceFrame& frame = list[outer];
      if (frame.line <= 0 || !is_user_file(frame.file)) continue;
      const auto [source, is_new] = sources.try_emplace(frame.file);
      if (is_new) source->second = lines_of_source(frame.file, source_root);
      const auto line = line_of_braced_call(source->second, frame.line, last_name(list[outer - 1].function));
      if (line) frame.line = *line;
    }
  }
}

}  // namespace stepgate

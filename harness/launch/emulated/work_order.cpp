#include "launch/emulated/work_order.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace stepgate {
namespace {

constexpr std::size_t most_text_of_work = 200;
constexpr std::string_view before_operator = " by ";
constexpr std::string_view before_offsets = " at ";
constexpr std::string_view to_host = " device_to_host";
constexpr std::string_view freed_block = "free pooled ";

/// Takes the first line off a text; absent where the text is empty.
std::optional<std::string_view> next_line(std::string_view& text) {
  if (text.empty()) return std::nullopt;
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

/// Of "1a2b30,1a2c10"; empty where it is no such list.
std::vector<std::uint64_t> offsets_in(std::string_view list) {
  std::vector<std::uint64_t> offsets;
  while (!list.empty()) {
    std::uint64_t offset = 0;
    const auto [end, error] = std::from_chars(list.data(), list.data() + list.size(), offset, 16);
    if (error != std::errc()) return {};
    offsets.push_back(offset);
    list.remove_prefix(static_cast<std::size_t>(end - list.data()));
    if (list.empty()) break;
    if (list.front() != ',' || list.size() == 1) return {};
    list.remove_prefix(1);
  }
  return offsets;
}

bool is_operator_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') ||
           letter == '_';
  });
}

/// "thread 2 " of "thread 2 wait stream"; "" on the first thread.
std::string_view thread_in(std::string_view line) {
  constexpr std::string_view word = "thread ";
  if (!line.starts_with(word)) return "";
  std::size_t end = word.size();
  while (end < line.size() && line[end] >= '0' && line[end] <= '9') ++end;
  const bool is_number = end > word.size() && end < line.size() && line[end] == ' ';
  return is_number ? line.substr(0, end + 1) : "";
}

/// What one thread gave the GPU. Blocks of a pool that are freed one after the other come in the order of their text: a
/// container that a program clears holds its tensors by address, which differs between processes.
struct ThreadOrder {
  std::string_view thread;  ///< "thread 2 "
  std::string lines;
  std::vector<std::string_view> freed = {};  ///< not in `lines` yet

  void add(std::string_view line) {
    if (line.starts_with(freed_block)) return freed.push_back(line);
    add_freed();
    lines.append(line).append("\n");
  }
  void add_freed() {
    std::sort(freed.begin(), freed.end());
    for (const std::string_view line : freed) lines.append(line).append("\n");
    freed.clear();
  }
};

/// In the order of their first lines.
std::vector<ThreadOrder> thread_orders(std::string_view text) {
  std::vector<ThreadOrder> threads;
  std::map<std::string_view, std::size_t> index_of;
  while (const std::optional<std::string_view> line = next_line(text)) {
    const std::string_view thread = thread_in(*line);
    const auto [found, is_new] = index_of.try_emplace(thread, threads.size());
    if (is_new) threads.push_back({thread, ""});
    threads[found->second].add(line->substr(thread.size()));
  }
  for (ThreadOrder& thread : threads) thread.add_freed();
  return threads;
}

/// The first thread of `some` that no thread of `others` is equal to; one without lines where there is none.
ThreadOrder first_unlike(const std::vector<ThreadOrder>& some, const std::vector<ThreadOrder>& others) {
  std::map<std::string_view, std::size_t> left;
  for (const ThreadOrder& one : others) ++left[one.lines];
  for (const ThreadOrder& one : some) {
    const auto found = left.find(one.lines);
    if (found == left.end() || found->second == 0) return one;
    --found->second;
  }
  return {};
}

/// Where the line stands in the whole order, and what was read before it on any thread.
void find_line(OrderDifference& difference, std::string_view text, std::string_view thread, std::int64_t index) {
  while (const std::optional<std::string_view> line = next_line(text)) {
    ++difference.line;
    if (thread_in(*line) == thread && index-- == 0) return;
    if (line->find(to_host) != std::string_view::npos)
      difference.read = ordered_work(line->substr(thread_in(*line).size()));
  }
}

std::optional<OrderedWork> work_of(const std::optional<std::string_view>& line) {
  return line ? std::optional(ordered_work(*line)) : std::nullopt;
}

}  // namespace

OrderedWork ordered_work(std::string_view line) {
  OrderedWork work;
  if (const std::size_t at = line.rfind(before_offsets); at != std::string_view::npos) {
    work.offsets = offsets_in(line.substr(at + before_offsets.size()));
    if (!work.offsets.empty()) line = line.substr(0, at);
  }
  if (const std::size_t at = line.rfind(before_operator); at != std::string_view::npos) {
    const std::string_view name = line.substr(at + before_operator.size());
    if (is_operator_name(name)) {
      work.operator_name = "aten::" + std::string(name);
      line = line.substr(0, at);
    }
  }
  work.what = std::string(line.substr(0, most_text_of_work));
  return work;
}

bool is_cut(std::string_view order) { return order.ends_with("\norder is cut here\n"); }

std::optional<OrderDifference> order_difference(std::string_view one, std::string_view other) {
  if (one == other) return std::nullopt;
  const std::vector<ThreadOrder> ones = thread_orders(one);
  const std::vector<ThreadOrder> others = thread_orders(other);
  const ThreadOrder unlike = first_unlike(ones, others);
  const ThreadOrder other_unlike = first_unlike(others, ones);
  std::string_view lines = unlike.lines;
  std::string_view other_lines = other_unlike.lines;
  if (lines == other_lines) return std::nullopt;
  for (std::int64_t index = 0;; ++index) {
    const std::optional<std::string_view> line = next_line(lines);
    const std::optional<std::string_view> other_line = next_line(other_lines);
    if (line == other_line) continue;
    OrderDifference difference{0, work_of(line), work_of(other_line)};
    find_line(difference, line ? one : other, line ? unlike.thread : other_unlike.thread, index);
    return difference;
  }
}

}  // namespace stepgate

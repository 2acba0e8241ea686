#include "launch/emulated/work_order.h"

#include <algorithm>
#include <charconv>

namespace stepgate {
namespace {

constexpr std::size_t most_text_of_work = 200;
constexpr std::string_view before_operator = " by ";
constexpr std::string_view before_offsets = " at ";
constexpr std::string_view to_host = " device_to_host";

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
  std::optional<std::string_view> read;
  for (std::int64_t line = 1;; ++line) {
    const std::optional<std::string_view> of_one = next_line(one);
    const std::optional<std::string_view> of_other = next_line(other);
    if (!of_one && !of_other) return std::nullopt;
    if (of_one != of_other) return OrderDifference{line, work_of(of_one), work_of(of_other), work_of(read)};
    if (of_one->find(to_host) != std::string_view::npos) read = of_one;
  }
}

}  // namespace stepgate

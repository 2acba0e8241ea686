#include "json/traces/operand_reader.h"

#include <charconv>
#include <optional>
#include <system_error>
#include <vector>

#include "json/traces/trace_limits.h"

namespace stepgate {
namespace {

constexpr std::string_view types_argument = "Input type";
constexpr std::string_view sizes_argument = "Input Dims";
constexpr std::string_view strides_argument = "Input Strides";
constexpr std::string_view values_argument = "Concrete Inputs";

using NumberLists = std::vector<std::vector<std::int64_t>>;

NumberLists* lists_named(RecordedOperands& operands, std::string_view argument) {
  if (argument == sizes_argument) return &operands.sizes;
  return argument == strides_argument ? &operands.strides : nullptr;
}

std::vector<std::string>* texts_named(RecordedOperands& operands, std::string_view argument) {
  if (argument == types_argument) return &operands.types;
  return argument == values_argument ? &operands.values : nullptr;
}

std::optional<std::int64_t> whole_number_in(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

void add_texts(const std::vector<std::string>& texts, std::string& text) {
  for (const std::string& each : texts) text += std::to_string(each.size()) + ':' + each;
  text += ';';
}

void add_lists(const NumberLists& lists, std::string& text) {
  for (const auto& list : lists) {
    text += '[';
    for (const std::int64_t number : list) text += std::to_string(number) + ',';
  }
  text += ';';
}

/// Different operands have different texts.
std::string text_of(const RecordedOperands& operands) {
  std::string text;
  add_texts(operands.types, text);
  add_lists(operands.sizes, text);
  add_lists(operands.strides, text);
  add_texts(operands.values, text);
  return text;
}

}  // namespace

void OperandReader::begin_event() {
  operands_.types.clear();
  operands_.sizes.clear();
  operands_.strides.clear();
  operands_.values.clear();
  bytes_ = 0;
  is_whole_ = true;
}

void OperandReader::count(std::size_t bytes) {
  bytes_ += bytes;
  if (bytes_ > most_operand_bytes) is_whole_ = false;
}

void OperandReader::begin_list(std::string_view argument, std::size_t level) {
  NumberLists* lists = lists_named(operands_, argument);
  if (lists == nullptr || level != 2) return;
  count(sizeof(NumberLists::value_type));
  if (is_whole_) lists->emplace_back();
}

void OperandReader::take(std::string_view argument, const std::string& value, std::size_t level) {
  if (std::vector<std::string>* texts = texts_named(operands_, argument); texts != nullptr && level == 1) {
    count(sizeof(std::string) + value.size());
    if (value.size() >= most_kept_bytes) is_whole_ = false;  // the rest of it is not known
    if (is_whole_) texts->push_back(value);
  }
  NumberLists* lists = lists_named(operands_, argument);
  if (lists == nullptr || level != 2 || lists->empty()) return;
  count(sizeof(std::int64_t));
  const auto number = whole_number_in(value);
  if (!number) is_whole_ = false;
  if (is_whole_) lists->back().push_back(*number);
}

std::int64_t OperandReader::place_in(std::deque<RecordedOperands>& known) {
  if (!is_whole_ || operands_.types.empty()) return 0;
  const auto [found, is_new] = places_.try_emplace(text_of(operands_), static_cast<std::int64_t>(known.size()) + 1);
  if (is_new) known.push_back(operands_);
  return found->second;
}

}  // namespace stepgate

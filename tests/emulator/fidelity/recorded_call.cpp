#include "emulator/fidelity/recorded_call.h"

#include <cstddef>
#include <stdexcept>
#include <string_view>

namespace stepgate::fidelity {
namespace {

struct PlaceRow {
  std::string_view word;
  CallPlace place;
  bool is_pinned;
};

constexpr PlaceRow place_rows[] = {
    {"quiet", CallPlace::quiet, false},         {"device", CallPlace::device, false},
    {"to_device", CallPlace::to_device, false}, {"to_device pinned", CallPlace::to_device, true},
    {"to_host", CallPlace::to_host, false},     {"to_host pinned", CallPlace::to_host, true},
};

struct KindRow {
  std::string_view word;
  ArgumentKind kind;
};

constexpr KindRow kind_rows[] = {
    {"tensor", ArgumentKind::tensor},   {"tensors", ArgumentKind::tensors}, {"scalar", ArgumentKind::scalar},
    {"scalars", ArgumentKind::scalars}, {"nothing", ArgumentKind::nothing},
};

[[noreturn]] void reject(const std::string& line) { throw std::runtime_error("not a line of trace_calls.py: " + line); }

std::vector<std::string> parts_of(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char letter : text) {
    if (letter == separator) {
      parts.emplace_back();
    } else {
      parts.back() += letter;
    }
  }
  return parts;
}

std::vector<std::int64_t> numbers_in(const std::string& text) {
  std::vector<std::int64_t> numbers;
  if (text.empty()) return numbers;
  for (const std::string& part : parts_of(text, ',')) numbers.push_back(std::stoll(part));
  return numbers;
}

/// "tensors", dtype, "2,3;4", "3,1;1".
std::vector<RecordedTensor> tensors_in(const std::vector<std::string>& words) {
  std::vector<RecordedTensor> tensors;
  if (words.size() < 4) return tensors;
  const std::vector<std::string> sizes = parts_of(words[2], ';');
  const std::vector<std::string> strides = parts_of(words[3], ';');
  for (std::size_t place = 0; place < sizes.size(); ++place) {
    const bool has_strides = place < strides.size();
    tensors.push_back(
        {words[1], numbers_in(sizes[place]), has_strides ? numbers_in(strides[place]) : std::vector<std::int64_t>{}});
  }
  return tensors;
}

RecordedArgument argument_in(const std::vector<std::string>& words, const std::string& line) {
  for (const KindRow& row : kind_rows) {
    if (row.word != words.front()) continue;
    RecordedArgument argument{.kind = row.kind};
    if (row.kind == ArgumentKind::tensor || row.kind == ArgumentKind::tensors) argument.tensors = tensors_in(words);
    const bool has_text = words.size() > 1 && !words[1].empty();
    if (row.kind == ArgumentKind::scalar && has_text) argument.texts = {words[1]};
    if (row.kind == ArgumentKind::scalars && has_text) argument.texts = parts_of(words[1], ',');
    if (row.kind == ArgumentKind::tensor && argument.tensors.size() != 1) reject(line);
    return argument;
  }
  reject(line);
}

RecordedCall call_in(const std::vector<std::string>& words, const std::string& line) {
  if (words.size() != 4) reject(line);
  for (const PlaceRow& row : place_rows) {
    if (row.word != words[3]) continue;
    return {.number = words[1], .name = words[2], .place = row.place, .is_pinned = row.is_pinned};
  }
  reject(line);
}

}  // namespace

std::vector<RecordedCall> read_calls(std::istream& lines) {
  std::vector<RecordedCall> calls;
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> words = parts_of(line, '\t');
    if (words.front() == "call") {
      calls.push_back(call_in(words, line));
    } else if (calls.empty()) {
      reject(line);
    } else {
      calls.back().arguments.push_back(argument_in(words, line));
    }
  }
  return calls;
}

}  // namespace stepgate::fidelity

// Picks the operands of an operator out of the arguments of its event.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/study/recorded_operands.h"

namespace stepgate {

/// Gets the lists among the arguments of one event after the other. `level`: 1 in a list of an argument, 2 in a list
/// within that one.
class OperandReader {
 public:
  void begin_event();
  void begin_list(std::string_view argument, std::size_t level);
  void take(std::string_view argument, const std::string& value, std::size_t level);

  /// The place of the event's operands in `known`, from 1 on, where they are added if no earlier event had them; 0
  /// where it has none, or more than are kept.
  std::int64_t place_in(std::deque<RecordedOperands>& known);

 private:
  void count(std::size_t bytes);

  RecordedOperands operands_;
  std::size_t bytes_ = 0;
  bool is_whole_ = true;
  std::unordered_map<std::string, std::int64_t> places_;
};

}  // namespace stepgate

// One option of one command: everything that is known about it, and where its value goes.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "cli/options/option_value.h"

namespace stepgate {

/// The help shows the options of one subject together, the subjects in this order.
enum class Topic { places, cases, measuring, machine, pairs, nodes, profile, history, baselines, output };
inline constexpr Topic topics[] = {Topic::places, Topic::cases,   Topic::measuring, Topic::machine,   Topic::pairs,
                                   Topic::nodes,  Topic::profile, Topic::history,   Topic::baselines, Topic::output};

struct OptionRow {
  Topic topic = Topic::output;
  std::string_view name;      ///< without dashes
  std::string_view value;     ///< what stands for its value in the help; "" for a switch
  std::string_view variable;  ///< environment variable that sets it too; "" if there is none
  std::string_view help;      ///< one sentence without a full stop, with the default
  OptionValue into;           ///< sets the field, within its range
  /// Each throws Error(usage) if another option contradicts this one, or is missing. They run in this order.
  std::vector<std::function<void()>> needs = {};
};

using OptionRows = std::vector<OptionRow>;

/// All lists, one after the other. The help keeps this order within a topic.
OptionRows joined(std::vector<OptionRows> lists);

/// Adds a check to the rows of these names: what a command refuses beside its other options. It runs before the
/// checks that the rows already have.
void add_need(OptionRows& rows, const std::vector<std::string_view>& names, const std::function<void()>& need);

}  // namespace stepgate

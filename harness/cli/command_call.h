// One call of a command: its options, the rows that fill them, and the function that reads them.
#pragma once

#include <any>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/options/option_row.h"

namespace stepgate {

/// The rows and `arguments` point into the options, which live as long as a copy of the call.
struct CommandCall {
  std::any options;                               ///< a shared_ptr of the command's own struct
  std::vector<std::string>* arguments = nullptr;  ///< positional: case names, or files
  OptionRows rows;
  std::function<int()> run;  ///< returns the exit status
};

template <typename Command>
Command command_read_by(int (*function)(const Command&));

/// A call with every option at its default. The struct is that of `function`; rows_of() has its rows.
template <auto function>
CommandCall call_of() {
  const auto options = std::make_shared<decltype(command_read_by(function))>();
  return {.options = options, .arguments = &options->arguments, .rows = rows_of(*options), .run = [options] {
            return function(*options);
          }};
}

}  // namespace stepgate

// What can stop stepgate, as one exception type that always carries a remedy.
// A missing value is a std::optional and a bad result is a verdict. Code throws only where it cannot continue.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace stepgate {

/// The exit status that an error leads to (docs/design/command_line.md, "Exit status").
enum class ErrorKind {
  usage,     ///< wrong flag, unknown case, malformed policy or configuration: exit 2
  measure,   ///< the measurement could not be made: exit 3
  baseline,  ///< a baseline is missing, damaged or incompatible: exit 5
};

/// Thrown where stepgate cannot continue. `what()` says what is wrong and where (file, key, flag);
/// `remedy()` is the next thing to try, a command where there is one.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message, std::string remedy)
      : std::runtime_error(message), kind_(kind), remedy_(std::move(remedy)) {}
  ErrorKind kind() const { return kind_; }
  const std::string& remedy() const { return remedy_; }

 private:
  ErrorKind kind_;
  std::string remedy_;
};

}  // namespace stepgate

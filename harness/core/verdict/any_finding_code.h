// The code that a finding has, which may be one that this version does not know.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/verdict/finding_code.h"

namespace stepgate {

/// A row of the table, or the name of a code that only another version knows.
class AnyFindingCode {
 public:
  AnyFindingCode(FindingCode code) : code_(code) {}  // implicit, so that `code == FindingCode::waiver` compares

  /// The code of a stored name. A name that is not in the table is kept as text: it is shown and written as it was
  /// read, equals no code and has no nature.
  static AnyFindingCode named(std::string_view name) {
    const std::optional<FindingCode> code = finding_code_named(name);
    return code ? AnyFindingCode(*code) : AnyFindingCode(std::string(name));
  }

  bool is(FindingNature nature) const { return code_ && row_of(*code_).nature == nature; }

  bool operator==(const AnyFindingCode&) const = default;

  /// The view ends with `code`.
  friend std::string_view name_of(const AnyFindingCode& code) {
    return code.code_ ? name_of(*code.code_) : std::string_view(code.unknown_name_);
  }

 private:
  explicit AnyFindingCode(std::string unknown_name) : unknown_name_(std::move(unknown_name)) {}

  std::optional<FindingCode> code_;
  std::string unknown_name_;
};

}  // namespace stepgate

// How the bytes that a step saves for backward grow with the number and the length of its sequences.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace stepgate {

/// One counted step: `rows` sequences of `length` tokens each, padding included.
struct SavedStep {
  std::int64_t rows = 0;
  std::int64_t length = 0;
  std::int64_t bytes = 0;  ///< saved for backward

  bool operator==(const SavedStep&) const = default;
};

/// bytes = rows * length * (per_token + growth * length) + per_row * rows + per_position * length + per_pair * length^2
/// + fixed, for every step, to the byte. `growth` is 0 where no operator keeps something of the size length x length of
/// each row, as attention that is written out does.
struct SavedLaw {
  std::int64_t per_token = 0;
  std::int64_t growth = 0;        ///< bytes per token and token of length
  std::int64_t per_row = 0;       ///< whatever the length, such as buffers that are as long as the longest sequence
  std::int64_t per_position = 0;  ///< shared by all rows: a range of positions
  std::int64_t per_pair = 0;      ///< shared by all rows: a mask
  std::int64_t fixed = 0;
  std::int64_t sizes = 0;    ///< distinct sizes that it holds for
  std::int64_t checked = 0;  ///< how many of them it did not need to find its coefficients

  bool operator==(const SavedLaw&) const = default;
};

/// What the law says of a step.
constexpr std::int64_t saved_bytes(const SavedLaw& law, std::int64_t rows, std::int64_t length) {
  return rows * (length * (law.per_token + law.growth * length) + law.per_row) + law.per_position * length +
         law.per_pair * length * length + law.fixed;
}

/// The most rows of that length whose saved bytes fit in `bytes`; 0 where none fits, absent where rows save nothing.
constexpr std::optional<std::int64_t> most_rows(const SavedLaw& law, std::int64_t length, std::int64_t bytes) {
  const std::int64_t shared = saved_bytes(law, 0, length);
  const std::int64_t of_row = saved_bytes(law, 1, length) - shared;
  if (of_row <= 0) return std::nullopt;
  return bytes <= shared ? 0 : (bytes - shared) / of_row;
}

/// A law, or why there is none.
struct SavedLawFit {
  std::optional<SavedLaw> law = {};
  std::string reason = {};  ///< one sentence; "" with a law
};

/// One setting of the sweep behind a law.
struct SavedSetting {
  std::vector<std::string> values = {};  ///< values of the swept parameters, in their order
  std::vector<SavedStep> steps = {};
  std::string failure = {};  ///< "" if it gave steps
};

struct SavedLawStudy {
  std::string case_name;
  std::vector<std::string> parameters = {};
  std::vector<SavedSetting> settings = {};
  SavedLawFit fit = {};
  bool interrupted = false;
};

}  // namespace stepgate

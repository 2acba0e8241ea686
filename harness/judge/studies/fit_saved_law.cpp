#include "judge/studies/fit_saved_law.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "core/error.h"

namespace stepgate {
namespace {

using LawColumn = long double (*)(const SavedStep&);

/// One term of the law: what its coefficient is multiplied with.
struct LawTerm {
  std::int64_t SavedLaw::*coefficient;
  LawColumn column;
};

long double tokens(const SavedStep& step) {
  return static_cast<long double>(step.rows) * static_cast<long double>(step.length);
}
long double pairs_of_tokens(const SavedStep& step) { return tokens(step) * static_cast<long double>(step.length); }
long double positions(const SavedStep& step) { return static_cast<long double>(step.length); }
long double pairs_of_positions(const SavedStep& step) { return positions(step) * positions(step); }
long double rows_of_step(const SavedStep& step) { return static_cast<long double>(step.rows); }
long double once_a_step(const SavedStep& /*step*/) { return 1; }

constexpr std::array law_terms = {
    LawTerm{&SavedLaw::per_token, tokens},       LawTerm{&SavedLaw::growth, pairs_of_tokens},
    LawTerm{&SavedLaw::fixed, once_a_step},      LawTerm{&SavedLaw::per_row, rows_of_step},
    LawTerm{&SavedLaw::per_position, positions}, LawTerm{&SavedLaw::per_pair, pairs_of_positions}};
constexpr std::size_t fewest_law_terms = 3;
/// The last terms can be told from the first ones only by rows of several numbers.
constexpr std::array terms_tried = {fewest_law_terms, fewest_law_terms + 1, law_terms.size()};

/// A row of the equations: the columns, and the bytes at the end.
using LawEquation = std::vector<long double>;

std::vector<LawEquation> equations_of(const std::vector<SavedStep>& steps, std::size_t count) {
  std::vector<LawEquation> equations;
  for (const SavedStep& step : steps) {
    LawEquation equation;
    for (std::size_t i = 0; i < count; ++i) equation.push_back(law_terms[i].column(step));
    equation.push_back(static_cast<long double>(step.bytes));
    equations.push_back(std::move(equation));
  }
  return equations;
}

/// The smallest share of a column's largest entry that is not taken for a rounding error. Entries differ by factors of
/// some thousands, and a long double has 19 digits.
constexpr long double pivot_rounding = 1e-12L;

/// Gauss and Jordan, with the largest pivot of each column. Absent where the columns depend on each other.
std::optional<std::vector<long double>> solution(std::vector<LawEquation> equations, std::size_t count) {
  if (equations.size() < count) return std::nullopt;
  for (std::size_t column = 0; column < count; ++column) {
    long double largest = 0;
    for (const LawEquation& each : equations) largest = std::max(largest, std::fabs(each[column]));
    const auto pivot = std::max_element(
        equations.begin() + static_cast<std::ptrdiff_t>(column), equations.end(),
        [&](const LawEquation& a, const LawEquation& b) { return std::fabs(a[column]) < std::fabs(b[column]); });
    if (std::fabs((*pivot)[column]) <= pivot_rounding * largest) return std::nullopt;
    std::iter_swap(equations.begin() + static_cast<std::ptrdiff_t>(column), pivot);
    for (std::size_t row = 0; row < equations.size(); ++row) {
      if (row == column) continue;
      const long double factor = equations[row][column] / equations[column][column];
      for (std::size_t i = column; i <= count; ++i) equations[row][i] -= factor * equations[column][i];
    }
  }
  std::vector<long double> found;
  for (std::size_t i = 0; i < count; ++i) found.push_back(equations[i][count] / equations[i][i]);
  return found;
}

bool gives_all_bytes(const SavedLaw& law, const std::vector<SavedStep>& steps) {
  return std::all_of(steps.begin(), steps.end(),
                     [&](const SavedStep& step) { return saved_bytes(law, step.rows, step.length) == step.bytes; });
}

/// Rounding is safe: whole numbers that give every step's bytes exactly are a law, however they were found.
std::optional<SavedLaw> law_with(const std::vector<SavedStep>& steps, std::size_t count) {
  const auto found = solution(equations_of(steps, count), count);
  if (!found) return std::nullopt;
  constexpr long double largest = 1e15L;
  SavedLaw law;
  for (std::size_t i = 0; i < count; ++i) {
    if (!(std::fabs((*found)[i]) < largest)) return std::nullopt;
    law.*law_terms[i].coefficient = std::llround((*found)[i]);
  }
  if (!gives_all_bytes(law, steps)) return std::nullopt;
  law.sizes = static_cast<std::int64_t>(steps.size());
  law.checked = static_cast<std::int64_t>(steps.size() - count);
  return law;
}

/// The sequence of a metric that each step has.
const std::vector<std::int64_t>& sequence_of(const RunRecord& record, const std::string& metric) {
  if (record.counts) {
    const auto at = record.counts->per_step.find(metric);
    if (at != record.counts->per_step.end()) return at->second;
  }
  const auto why = record.absent.find(metric);
  if (why != record.absent.end())
    throw Error(ErrorKind::measure, metric + ": " + why->second, "the law counts bytes per token of each row");
  throw Error(ErrorKind::measure, metric + " was not counted", "build the perftest with this version of stepgate");
}

}  // namespace

std::vector<SavedStep> saved_steps(const RunRecord& record) {
  const auto& bytes = sequence_of(record, "saved_bytes_per_step");
  const auto& rows = sequence_of(record, "samples_per_step");
  const auto& tokens_of = sequence_of(record, "padded_tokens_per_step");
  std::vector<SavedStep> steps;
  for (std::size_t i = 0; i < std::min({bytes.size(), rows.size(), tokens_of.size()}); ++i) {
    if (tokens_of[i] <= 0 || rows[i] <= 0) {
      throw Error(ErrorKind::measure, "the case declares no tokens",
                  "set Batch::samples and Batch::padded_tokens: the law counts bytes per token");
    }
    if (tokens_of[i] % rows[i] != 0) {
      throw Error(ErrorKind::measure, fmt::format("{} tokens in {} rows: rows differ in length", tokens_of[i], rows[i]),
                  "count padding in Batch::padded_tokens");
    }
    steps.push_back({rows[i], tokens_of[i] / rows[i], bytes[i]});
  }
  return steps;
}

SavedLawFit fit_saved_law(const std::vector<SavedStep>& steps) {
  std::vector<SavedStep> distinct;
  for (const SavedStep& step : steps) {
    const auto known = std::find_if(distinct.begin(), distinct.end(), [&](const SavedStep& other) {
      return other.rows == step.rows && other.length == step.length;
    });
    if (known == distinct.end()) {
      distinct.push_back(step);
    } else if (known->bytes != step.bytes) {
      return {{},
              fmt::format("{} x {} tokens save {} bytes in one step and {} in another", step.rows, step.length,
                          known->bytes, step.bytes)};
    }
  }
  std::set<std::int64_t> lengths;
  for (const SavedStep& step : distinct) lengths.insert(step.length);
  if (lengths.size() < fewest_law_terms) {
    return {{},
            fmt::format("{} length{} of sequences: a law needs three", lengths.size(), lengths.size() == 1 ? "" : "s")};
  }
  for (const std::size_t count : terms_tried) {
    if (auto law = law_with(distinct, count)) return {law, ""};
  }
  return {{},
          fmt::format("no whole numbers give the saved bytes of all {} sizes: part of what is saved follows something "
                      "else than rows and length",
                      distinct.size())};
}

}  // namespace stepgate

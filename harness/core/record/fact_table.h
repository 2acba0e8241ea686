// The facts of a fingerprint: what sets each of them, and what another value means for a stored baseline. One row a
// fact.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace stepgate {

/// In the order in which a sentence names facts that differ: what a change of the code can do comes first.
enum class FactKind {
  program,  ///< a switch of LibTorch that the program sets itself
  asked,    ///< the launcher asks for it; a process that ends with another value gives no record (launch/replicate)
  tree,     ///< comes with the tree under test: its sources, its data, how it is built
  machine,  ///< hardware, driver, installed libraries, settings of the host
};

enum class FactRole {
  recorded,        ///< no comparison depends on it
  key,             ///< other values, other conditions: there is no baseline
  undecides_times  ///< stored in the key; with another value stored times are shown and decide nothing
};

enum class FactComparison { text, within_one_percent };

struct FactRow {
  std::string_view name;
  FactKind kind = FactKind::machine;
  /// What a key means that lacks the fact: mismatches() compares it even where only one side has it. "": unknown.
  std::string_view if_missing = "";
  FactRole portable = FactRole::recorded;  ///< in the key of scope portable
  FactRole device = FactRole::recorded;    ///< in that of scope device: counts, bytes and losses of a GPU
  FactRole runner = FactRole::recorded;    ///< in that of scope runner: sessions of times
  FactComparison comparison = FactComparison::text;
  /// Runner baselines exist that were stored before stepgate read it: they are compared without it, and a finding says
  /// so.
  bool may_lack = false;
};

/// The reasons stand in docs/design/baselines_and_policy.md, "Facts".
std::span<const FactRow> fact_table();

/// nullptr for a fact without a row: it comes from the machine and is only recorded.
const FactRow* find_fact(std::string_view name);

/// Whether two values of a fact are the same by its rule of comparison.
bool same_fact(std::string_view name, const std::string& a, const std::string& b);

}  // namespace stepgate

// Where a fact of a fingerprint comes from, and so what a difference from the baseline means: one row per fact that a
// key holds.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/record/fingerprint.h"

namespace stepgate {

/// In the order in which a sentence names facts that differ: what a change of the code can do comes first.
enum class FactKind {
  program,  ///< a switch of LibTorch that the program sets itself
  asked,    ///< the launcher asks for it; a process that ends with another value gives no record (launch/replicate)
  tree,     ///< comes with the tree under test: its sources, its data, how it is built
  machine,  ///< hardware, driver, installed libraries, settings of the host
};

struct FactSource {
  std::string_view name;
  FactKind kind;
  /// What a key means that lacks the fact: mismatches() compares it even where only one side has it. "": unknown.
  std::string_view if_missing = "";
};

/// nullptr for a fact that no key holds.
const FactSource* find_fact(std::string_view name);

/// The value of a fact in a key, "" where it is unknown.
std::string fact_value(const Fingerprint& key, std::string_view name);

/// In the order of FactKind, else as they were. mismatches() and differences() give them so.
std::vector<FingerprintMismatch> by_kind(std::vector<FingerprintMismatch> mismatches);

/// All of them, where each is a switch that the program set otherwise and both values are known: the two sides can be
/// compared, and the program is what changed. Else none.
std::vector<FingerprintMismatch> changed_settings(const std::vector<FingerprintMismatch>& mismatches);

/// True where they keep the two sides from being compared.
bool incompatible(const std::vector<FingerprintMismatch>& mismatches);

/// True where a difference can come from the tree under test and not only from the machine. An unknown value says
/// nothing.
bool has_changed_tree(const std::vector<FingerprintMismatch>& mismatches);

}  // namespace stepgate

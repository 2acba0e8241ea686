// The sources of facts: they tell what it means if two fingerprints differ in a fact.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/record/fact_table.h"
#include "core/record/fingerprint.h"

namespace stepgate {

/// The value of a fact in a key, "" where it is unknown.
std::string fact_value(const Fingerprint& key, std::string_view name);

/// Sorts them by FactKind, and keeps their order within a kind. mismatches() and differences() return them so.
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

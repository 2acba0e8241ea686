// What was live when memory peaked, as a table: `stepgate report --ledger`.
#pragma once

#include <string>

#include "core/record/run_record.h"
#include "report/text/console_style.h"

namespace stepgate {

/// A ledger, and the one of the baseline where that has one.
struct LedgerView {
  const std::string& case_name;
  const MemoryLedger& current;
  const MemoryLedger* baseline = nullptr;
};

/// Kinds with their bytes and share of the peak, largest first, beside those of the baseline; below them their sum
/// beside the allocator's own figure, to the byte, and the fragmentation that comes on top where the allocator
/// reserves.
std::string render_ledger(const LedgerView& view, const ConsoleStyle& style);

}  // namespace stepgate

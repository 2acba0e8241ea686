// What was live when memory peaked, as a table: `stepgate report --ledger`.
#pragma once

#include <string>

#include "core/record/run_record.h"
#include "report/text/console_style.h"

namespace stepgate {

/// A ledger, and the baseline's ledger if there is one.
struct LedgerView {
  const std::string& case_name;
  const MemoryLedger& current;
  const MemoryLedger* baseline = nullptr;
};

/// Kinds with their bytes and share of the peak, largest first, beside those of the baseline. Below them their sum and
/// the allocator's own figure, both exact to the byte, and the additional fragmentation if the allocator reserves
/// memory.
std::string render_ledger(const LedgerView& view, const ConsoleStyle& style);

}  // namespace stepgate

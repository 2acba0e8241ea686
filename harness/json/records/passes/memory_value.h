// Allocator statistics inside run records. Internal to json/ (mentions nlohmann).
#pragma once

#include "core/record/run_record.h"
#include "json/text/reader.h"

namespace stepgate {

Json value_of(const BoundaryMemory& memory);
BoundaryMemory boundary_memory_at(Reader reader);

Json value_of(const MemoryLedger& ledger);
MemoryLedger ledger_at(Reader reader);

Json value_of(const MemoryProfile& memory);
MemoryProfile memory_at(Reader reader);

}  // namespace stepgate

// Counts this test program's heap allocations: counted_new.cpp replaces the global operator new.
#pragma once

#include <cstdint>

namespace stepgate::test {

std::int64_t heap_allocations();

}  // namespace stepgate::test

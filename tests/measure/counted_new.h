// How often this test program allocated from the heap: counted_new.cpp replaces the global operator new.
#pragma once

#include <cstdint>

namespace stepgate::test {

std::int64_t heap_allocations();

}  // namespace stepgate::test

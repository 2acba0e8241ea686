// A clock that tests set, and a tensor type for the marks, which only need its name.
#pragma once

#include <cstdint>

namespace at {
class Tensor {};
}  // namespace at

namespace stepgate::test {

inline std::int64_t scripted_now_ns = 0;
inline std::int64_t scripted_clock() { return scripted_now_ns; }
inline void pass_time(std::int64_t ns) { scripted_now_ns += ns; }

}  // namespace stepgate::test

// A value that a process shares with the children that it forks.
#pragma once

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <string>
#include <type_traits>

#include "core/error.h"

namespace stepgate {

/// What a child writes into it before exec, the parent reads. Throws Error(measure) where the kernel gives no memory.
template <typename Value>
class SharedValue {
 public:
  static_assert(std::is_trivially_copyable_v<Value> && std::is_trivially_destructible_v<Value>);

  SharedValue() {
    void* memory = ::mmap(nullptr, sizeof(Value), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
      throw Error(ErrorKind::measure, std::string("cannot share memory with a process: ") + std::strerror(errno),
                  "free some memory: see free -m");
    }
    value_ = new (memory) Value{};
  }
  SharedValue(const SharedValue&) = delete;
  SharedValue& operator=(const SharedValue&) = delete;
  ~SharedValue() { ::munmap(value_, sizeof(Value)); }

  Value& operator*() const { return *value_; }

 private:
  Value* value_;
};

}  // namespace stepgate

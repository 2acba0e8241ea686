// A short stack for a thread_local variable that is used until the process has ended.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

namespace stepgate::emulator {

/// LibTorch calls the runtime from destructors of static variables, when those of the thread are gone already. This one
/// has no destructor.
template <typename Item, std::size_t Most>
class ThreadStack {
  static_assert(std::is_trivially_destructible_v<Item>);

 public:
  /// False where it is full.
  bool push(const Item& item) {
    if (size_ == Most) return false;
    items_[size_++] = item;
    return true;
  }
  bool empty() const { return size_ == 0; }
  const Item& top() const { return items_[size_ - 1]; }
  void pop() { --size_; }
  void clear() { size_ = 0; }
  const Item* begin() const { return items_.data(); }
  const Item* end() const { return items_.data() + size_; }

 private:
  std::array<Item, Most> items_{};
  std::size_t size_ = 0;
};

}  // namespace stepgate::emulator

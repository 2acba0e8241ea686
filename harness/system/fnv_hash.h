// FNV-1a, 64 bits: a stable hash of bit patterns (offset basis and prime by Fowler, Noll and Vo).
#pragma once

#include <cstddef>
#include <cstdint>

namespace stepgate {

class FnvHash {
 public:
  void add(const void* data, std::size_t size_bytes) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size_bytes; ++i) {
      value_ ^= bytes[i];
      value_ *= prime;
    }
  }
  /// One multiplication for eight bytes; the shift carries the high bits down, which the product alone never does.
  void add_word(std::uint64_t word) {
    value_ = (value_ ^ word) * prime;
    value_ ^= value_ >> 32;
  }
  std::uint64_t value() const { return value_; }

 private:
  static constexpr std::uint64_t prime = 0x100000001b3U;
  std::uint64_t value_ = 0xcbf29ce484222325U;
};

}  // namespace stepgate

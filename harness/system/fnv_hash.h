// FNV-1a: a stable hash of bit patterns (Fowler, Noll and Vo; RFC 9923). It finds accidental changes, not forged ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace stepgate {

/// Offset basis and prime by the width of the hash.
template <typename Word>
struct FnvParameters;
template <>
struct FnvParameters<std::uint32_t> {
  static constexpr std::uint32_t offset_basis = 0x811c9dc5U;
  static constexpr std::uint32_t prime = 0x01000193U;
};
template <>
struct FnvParameters<std::uint64_t> {
  static constexpr std::uint64_t offset_basis = 0xcbf29ce484222325U;
  static constexpr std::uint64_t prime = 0x100000001b3U;
};

template <typename Word>
class BasicFnvHash {
 public:
  void add(const void* data, std::size_t size_bytes) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size_bytes; ++i) value_ = (value_ ^ bytes[i]) * FnvParameters<Word>::prime;
  }
  void add(std::string_view bytes) { add(bytes.data(), bytes.size()); }
  /// One multiplication for a whole word. The product alone never carries high bits down, so a shift does.
  void add_word(Word word) {
    constexpr int half = sizeof(Word) * 4;
    value_ = (value_ ^ word) * FnvParameters<Word>::prime;
    value_ ^= value_ >> half;
  }
  Word value() const { return value_; }

 private:
  Word value_ = FnvParameters<Word>::offset_basis;
};

using FnvHash = BasicFnvHash<std::uint64_t>;
using ShortFnvHash = BasicFnvHash<std::uint32_t>;

/// The value as 16 or 8 hexadecimal digits.
std::string hex_text(const FnvHash& hash);
std::string hex_text(const ShortFnvHash& hash);

}  // namespace stepgate

#include "core/text/code_point.h"

namespace stepgate {
namespace {

/// The length of the character with this lead byte, 0 for a byte that cannot lead. RFC 3629, section 4.
std::size_t announced_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  if (lead >= 0xF0 && lead < 0xF5) return 4;
  return 0;
}

}  // namespace

CodePoint first_code_point(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = announced_length(lead);
  if (length == 0 || length > text.size()) return {std::nullopt, 1};
  if (length == 1) return {lead, 1};
  std::uint32_t value = lead & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0U) != 0x80U) return {std::nullopt, 1};
    value = (value << 6U) | (next & 0x3FU);
  }
  const bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
  const bool impossible = (value >= 0xD800 && value < 0xE000) || value > 0x10FFFF;
  if (overlong || impossible) return {std::nullopt, 1};
  return {value, length};
}

bool is_control(std::uint32_t value) {
  const bool c0_or_c1 = value < 0x20 || (value >= 0x7F && value < 0xA0);
  const bool direction = (value >= 0x202A && value <= 0x202E) || (value >= 0x2066 && value <= 0x2069) ||
                         value == 0x061C || value == 0x200E || value == 0x200F;
  return c0_or_c1 || direction || value == 0x2028 || value == 0x2029;
}

}  // namespace stepgate

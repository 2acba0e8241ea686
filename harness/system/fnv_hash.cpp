#include "system/fnv_hash.h"

#include <fmt/format.h>

namespace stepgate {

std::string hex_text(const FnvHash& hash) { return fmt::format("{:016x}", hash.value()); }

std::string hex_text(const ShortFnvHash& hash) { return fmt::format("{:08x}", hash.value()); }

}  // namespace stepgate

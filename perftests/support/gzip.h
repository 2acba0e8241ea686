// What lies in a gzip file.
#pragma once

#include <string>
#include <string_view>

namespace stepgate {

/// The bytes that were packed. Throws DataError where `packed` is no gzip file, is damaged or ends early.
std::string unpack_gzip(std::string_view packed);

}  // namespace stepgate

// Unpacks gzip files.
#pragma once

#include <string>
#include <string_view>

namespace stepgate {

/// The unpacked bytes. Throws DataError if `packed` is not a gzip file, is damaged or ends early.
std::string unpack_gzip(std::string_view packed);

}  // namespace stepgate

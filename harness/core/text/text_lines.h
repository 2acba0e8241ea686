// Lines of a text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace stepgate {

/// The last `most` lines, without their ends. A line end after the last line begins no further one.
std::vector<std::string> last_lines(std::string_view text, std::size_t most);

/// The same without frames of LibTorch's stack traces ("frame #3: ..."): a dozen of them follow the message of an error
/// and push it out of the last lines. A text of nothing else keeps them.
std::vector<std::string> last_lines_without_frames(std::string_view text, std::size_t most);

/// Control characters, line ends among them, as spaces: for formats in which a name is one line.
std::string on_one_line(std::string text);

}  // namespace stepgate

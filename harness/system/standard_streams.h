// stdin, stdout and stderr of this process, whatever its caller did with them.
#pragma once

namespace stepgate {

/// Call it first. Opens /dev/null for each of descriptors 0, 1 and 2 that is closed, so that no file of this process
/// gets such a number and receives what is printed. A closed stdout takes nothing, so printing there is an error; a
/// closed stderr swallows everything. Ignores SIGPIPE and SIGXFSZ, so that writing returns an error instead.
void settle_standard_streams();

}  // namespace stepgate

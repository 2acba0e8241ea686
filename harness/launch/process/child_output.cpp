#include "launch/process/child_output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "core/error.h"
#include "system/files/file_error.h"
#include "system/files/regular_file.h"

namespace stepgate {
namespace {

/// More than any secret: parts are read with so much beside them, masked, and cut afterwards.
constexpr off_t margin = 16384;
constexpr auto head_end = static_cast<off_t>(ChildOutput::head_bytes) + margin;
constexpr auto tail_length = static_cast<off_t>(ChildOutput::tail_bytes) + margin;
/// From this size on the middle of the file is removed while the process runs.
constexpr off_t most_while_running = off_t{16} << 20U;

off_t size_of(const Descriptor& file) {
  struct stat found {};
  return ::fstat(file.number(), &found) == 0 ? found.st_size : 0;
}

/// A process of an earlier replicate may have put anything in this place, so the file is made anew.
Descriptor create(const std::filesystem::path& path) {
  if (path.empty()) {
    Descriptor nothing(uninterrupted([] { return ::open("/dev/null", O_WRONLY | O_CLOEXEC); }));
    if (!nothing.is_open()) throw file_error(ErrorKind::measure, {"/dev/null", "cannot open", errno});
    return nothing;
  }
  OpenedFile created = create_own_file(path, O_RDWR | O_APPEND);
  if (created.descriptor.is_open()) return std::move(created.descriptor);
  throw error_of(created, ErrorKind::measure, path, "cannot write what the program prints");
}

}  // namespace

ChildOutput::ChildOutput(const std::filesystem::path& path) : file_(create(path)) {}

std::string ChildOutput::part(off_t begin, off_t end) const {
  std::string text(static_cast<std::size_t>(std::max<off_t>(0, end - begin)), '\0');
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t got =
        ::pread(file_.number(), text.data() + done, text.size() - done, begin + static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  text.resize(done);
  return text;
}

void ChildOutput::limit() {
  const off_t size = size_of(file_);
  if (size <= most_while_running) return;
  tail_ = part(size - tail_length, size);
  // The process appends, so it goes on behind the new end.
  const int cut = uninterrupted([&] { return ::ftruncate(file_.number(), head_end); });
  if (cut == 0) removed_ += static_cast<std::uint64_t>(size - head_end);
}

std::string ChildOutput::settle(const SecretMask& secrets, const std::string& remark) {
  const off_t size = size_of(file_);
  const std::uint64_t printed = static_cast<std::uint64_t>(size) + removed_;
  const bool is_long = printed > head_bytes + tail_bytes;
  std::string text;
  bool is_changed = is_long || !remark.empty();
  if (is_long) {
    const std::string head = secrets.masked(part(0, std::min(size, head_end))).substr(0, head_bytes);
    std::string tail = part(std::max(removed_ > 0 ? head_end : off_t{0}, size - tail_length), size);
    if (removed_ > 0) tail = tail_ + tail;
    tail = secrets.masked(std::move(tail));
    tail.erase(0, tail.size() - std::min(tail.size(), tail_bytes));
    text = fmt::format("{}\n[stepgate: about {} bytes are left out here]\n{}", head,
                       printed - head.size() - tail.size(), tail);
  } else {
    const std::string all = part(0, size);
    text = secrets.masked(all);
    is_changed = is_changed || text != all;
  }
  if (!remark.empty())
    text += fmt::format("{}[stepgate: {}]\n", text.empty() || text.ends_with('\n') ? "" : "\n", remark);
  // Use the descriptor, never the name: the process may have put something else there.
  if (is_changed && size_of(file_) > 0) {
    if (uninterrupted([&] { return ::ftruncate(file_.number(), 0); }) != 0) return text;
  }
  if (is_changed) static_cast<void>(write_whole(file_, text));
  return text;
}

}  // namespace stepgate

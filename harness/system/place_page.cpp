#include "system/place_page.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <type_traits>

namespace stepgate {
namespace {

static_assert(std::is_trivially_copyable_v<PlacePageLayout> && std::is_standard_layout_v<ProcessPlace>);

// Nobody can cut it off while another one reads or writes its memory, which would be a SIGBUS there.
constexpr int fixed_size = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

std::optional<PlacePageLayout> read_page(int descriptor) {
  PlacePageLayout page;
  const ssize_t got = uninterrupted([&] { return ::pread(descriptor, &page, sizeof page, 0); });
  if (got != static_cast<ssize_t>(sizeof page)) return std::nullopt;
  return page;
}

/// No other file may be written, whatever a user's variable says.
bool is_place_page(int descriptor) {
  const int seals = ::fcntl(descriptor, F_GET_SEALS);
  if (seals < 0 || (seals & fixed_size) != fixed_size) return false;
  struct stat found {};
  if (::fstat(descriptor, &found) != 0 || found.st_size != static_cast<off_t>(sizeof(PlacePageLayout))) return false;
  const auto page = read_page(descriptor);
  return page && page->mark == place_page_mark;
}

}  // namespace

PlacePage::PlacePage() : file_(::memfd_create("stepgate-place", MFD_CLOEXEC | MFD_ALLOW_SEALING)) {
  if (!file_.is_open()) return;
  const PlacePageLayout empty;
  const ssize_t put = uninterrupted([&] { return ::pwrite(file_.number(), &empty, sizeof empty, 0); });
  const bool is_made =
      put == static_cast<ssize_t>(sizeof empty) && ::fcntl(file_.number(), F_ADD_SEALS, fixed_size) == 0;
  if (!is_made) file_.close();
}

std::string PlacePage::value() const { return fmt::format("{:06}", file_.number()); }

std::vector<ProcessPlace> PlacePage::places() const {
  const auto page = file_.is_open() ? read_page(file_.number()) : std::nullopt;
  return page ? std::vector<ProcessPlace>(page->ranks.begin(), page->ranks.end()) : std::vector<ProcessPlace>{};
}

int place_descriptor() {
  const char* variable = std::getenv(place_variable);
  const std::string_view text = variable == nullptr ? "" : variable;
  int number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = !text.empty() && error == std::errc{} && end == text.data() + text.size() && number >= 0;
  return is_number && is_place_page(number) ? number : -1;
}

std::shared_ptr<ProcessPlace> shared_place(int descriptor, std::int64_t rank) {
  if (descriptor < 0 || rank < 0 || rank >= static_cast<std::int64_t>(most_places)) return nullptr;
  static_cast<void>(::fcntl(descriptor, F_SETFD, FD_CLOEXEC));
  // Populated: no step may pay for the first touch of a page.
  void* const memory =
      ::mmap(nullptr, sizeof(PlacePageLayout), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, descriptor, 0);
  if (memory == MAP_FAILED) return nullptr;
  auto* const page = static_cast<PlacePageLayout*>(memory);
  const std::shared_ptr<PlacePageLayout> mapped(
      page, [](PlacePageLayout* mapping) { ::munmap(mapping, sizeof(PlacePageLayout)); });
  return {mapped, &mapped->ranks[static_cast<std::size_t>(rank)]};
}

std::string text_of_place(int descriptor, std::int64_t rank) {
  const auto page = descriptor < 0 ? std::nullopt : read_page(descriptor);
  if (!page || rank < 0 || rank >= static_cast<std::int64_t>(most_places)) return "";
  return text_of(page->ranks[static_cast<std::size_t>(rank)]);
}

}  // namespace stepgate

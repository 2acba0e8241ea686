// What a faulty log entry keeps in each step: nothing of it is memory of malloc's.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace stepgate {

inline void keep_mapping() {
  constexpr std::size_t size = 1 << 20;
  void* const block = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED) std::abort();
}

inline void keep_descriptor() {
  if (::open("/proc/self/exe", O_RDONLY | O_CLOEXEC) < 0) std::abort();
}

inline void keep_temporary_file() {
  static int number = 0;
  const std::filesystem::path name = "entry-" + std::to_string(number++);
  std::ofstream(std::filesystem::temp_directory_path() / name) << "one entry";
}

inline void keep_thread() {
  std::thread([] {
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  }).detach();
}

/// It ends at once, and nobody waits for it.
inline void keep_child() {
  if (::fork() == 0) ::_exit(0);
}

}  // namespace stepgate

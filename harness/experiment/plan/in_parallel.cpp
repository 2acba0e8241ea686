#include "experiment/plan/in_parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <future>
#include <thread>
#include <vector>

namespace stepgate {
namespace {

/// A whole file is on the disk after two fsync(), in which its thread does nothing.
constexpr std::size_t waiting_per_cpu = 8;

std::size_t cpus() { return std::max(1U, std::thread::hardware_concurrency()); }

}  // namespace

std::size_t threads_that_wait() { return waiting_per_cpu * cpus(); }

void in_parallel(std::size_t count, const std::function<void(std::size_t)>& work, std::size_t threads) {
  std::vector<std::exception_ptr> errors(count);
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> failed = false;
  // Asked before a number is taken: each number that was taken is worked on, so none before the first error is left
  // out.
  const auto take = [&] {
    while (!failed) {
      const std::size_t at = next++;
      if (at >= count) return;
      try {
        work(at);
      } catch (...) {
        errors[at] = std::current_exception();
        failed = true;
      }
    }
  };
  if (threads == 0) threads = cpus();
  std::vector<std::future<void>> others;
  // Where the system refuses a thread, get() does its work.
  for (std::size_t i = 1; i < std::min(threads, count); ++i)
    others.push_back(std::async(std::launch::async | std::launch::deferred, take));
  take();
  for (std::future<void>& other : others) other.get();
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
}

}  // namespace stepgate

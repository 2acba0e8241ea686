// Runs a function on two ranks. These are processes, because LibTorch's generator and threads are per process.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "perftests/data_folder.h"
#include "stepgate/workload.h"

namespace stepgate {

/// The result or the exception of a rank.
struct RankResult {
  std::vector<double> values;
  std::string failure;
};

using RankBody = std::function<std::vector<double>(const CaseContext&)>;

namespace two_ranks {

inline void write_all(int out, const void* data, std::size_t size) {
  if (::write(out, data, size) != static_cast<ssize_t>(size)) ::_exit(1);
}

[[noreturn]] inline void be_rank(const RankBody& body, const CaseContext& context, int out) {
  RankResult result;
  try {
    torch::set_num_threads(1);
    result.values = body(context);
  } catch (const std::exception& failure) {
    result.failure = failure.what();
  }
  const std::array<std::size_t, 2> sizes = {result.values.size(), result.failure.size()};
  write_all(out, sizes.data(), sizeof sizes);
  write_all(out, result.failure.data(), result.failure.size());
  FILE* const stream = ::fdopen(out, "wb");
  std::fwrite(result.values.data(), sizeof(double), result.values.size(), stream);
  std::fflush(stream);
  ::_exit(0);  // does not run the test framework's cleanup of this process
}

inline RankResult read_result(int in) {
  FILE* const stream = ::fdopen(in, "rb");
  std::array<std::size_t, 2> sizes{};
  RankResult result;
  if (std::fread(sizes.data(), sizeof(std::size_t), sizes.size(), stream) != sizes.size()) {
    result.failure = "the rank crashed";
  } else {
    result.failure.resize(sizes[1]);
    result.values.resize(sizes[0]);
    const std::size_t got = std::fread(result.failure.data(), 1, sizes[1], stream) +
                            std::fread(result.values.data(), sizeof(double), sizes[0], stream);
    if (got != sizes[0] + sizes[1]) result.failure = "the rank crashed";
  }
  std::fclose(stream);
  return result;
}

}  // namespace two_ranks

/// Runs `body` on rank 0 and rank 1 of two, with their own rendezvous file.
inline std::array<RankResult, 2> on_two_ranks(const RankBody& body, const CaseContext& settings = {}) {
  const DataFolder folder;
  std::array<int, 2> outputs{};
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) throw std::runtime_error("cannot make a pipe");
    CaseContext context = settings;
    context.rank = rank;
    context.ranks = 2;
    context.rendezvous = folder.path() / "rendezvous";
    if (::fork() == 0) two_ranks::be_rank(body, context, ends[1]);
    ::close(ends[1]);
    outputs[static_cast<std::size_t>(rank)] = ends[0];
  }
  std::array<RankResult, 2> results;
  for (std::size_t rank = 0; rank < 2; ++rank) results[rank] = two_ranks::read_result(outputs[rank]);
  while (::wait(nullptr) > 0) {
  }
  return results;
}

}  // namespace stepgate

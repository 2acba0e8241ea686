#include "measure/program/perftest_ranks.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <memory>

#include "measure/device/emulated_gpu.h"
#include "measure/program/perftest_end.h"
#include "measure/ranks/rank_link.h"
#include "measure/ranks/train_together.h"
#include "system/place_page.h"

namespace stepgate {

namespace {

constexpr int signal_status = 128;

}  // namespace

RankContext rank_context_of(const Case& test_case, const PerftestArguments& arguments) {
  if (!arguments.rank) return {};
  const auto link = std::make_shared<RankLink>(*arguments.rank, arguments.rank_sockets);
  return {
      .rank = *arguments.rank, .ranks = test_case.ranks, .folder = arguments.rendezvous, .agree = [link](bool mine) {
        return link->agree(mine);
      }};
}

void end_rank(const PerftestArguments& arguments, const std::exception_ptr& thrown) {
  const std::string number = std::to_string(*arguments.rank) + "\n";
  if (arguments.rank_alarm >= 0) static_cast<void>(::write(arguments.rank_alarm, number.data(), number.size()) < 0);
  const int status = report_failure(thrown);
  std::fflush(nullptr);
  ::_exit(status);
}

int run_all_ranks(const Case& test_case, const PerftestArguments& arguments) {
  const auto show = [](std::int64_t rank, std::string_view line) {
    std::fputs(fmt::format("[rank {}] {}\n", rank, line).c_str(), stderr);
    std::fflush(stderr);
  };
  const int places = place_descriptor();
  RanksEnd end = train_together({.program = "/proc/self/exe",
                                 .arguments = arguments.given,
                                 .record = arguments.record,
                                 .ranks = test_case.ranks,
                                 .places = places,
                                 .variables = own_emulated_variables(),
                                 .on_line = show});
  if (end.interrupted_by != 0) {
    ::raise(end.interrupted_by);
    return signal_status + end.interrupted_by;  // a parent blocked or handled it: without a record it has failed
  }
  if (!end.failure) return done;
  end.failure->place = text_of_place(places, end.failure->rank);
  complain(text_of(*end.failure, test_case.ranks), "");
  return end.failure->signal != 0 ? workload_failed : end.failure->status;
}

}  // namespace stepgate

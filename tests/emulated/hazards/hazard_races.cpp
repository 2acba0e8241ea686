// Races of LibTorch programs: "planted" runs them as they are, "ordered" with what orders them. "forked" is none: a
// child has page-locked memory of its own.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <string_view>

#include "emulated/hazards/hazard_race.h"

namespace {

void run_races(const std::vector<stepgate::HazardRace>& races, bool is_ordered) {
  for (const stepgate::HazardRace& race : races) {
    race.run(is_ordered);
    stepgate::end_all();
    std::puts(race.name);
  }
}

/// Whether the child ended well.
bool fill_in_a_child() {
  const c10::cuda::CUDAStreamGuard guard(stepgate::new_stream());
  const at::Tensor batch = stepgate::page_locked();
  const at::Tensor copied = stepgate::on_device();
  copied.copy_(batch, /*non_blocking=*/true);
  const pid_t child = ::fork();
  if (child == 0) {
    batch.fill_(1);
    ::_exit(0);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  stepgate::end_all();
  return status == 0;
}

}  // namespace

int main(int count, char** words) {
  const std::string_view way = count == 2 ? words[1] : "";
  if (way == "forked") return fill_in_a_child() ? 0 : 1;
  if (way != "planted" && way != "ordered") {
    std::puts("usage: hazard_races planted|ordered|forked");
    return 2;
  }
  run_races(stepgate::stream_races(), way == "ordered");
  run_races(stepgate::memory_races(), way == "ordered");
  return 0;
}

// Races of LibTorch programs: "planted" runs them as they are, "ordered" with what orders them.
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

}  // namespace

int main(int count, char** words) {
  const std::string_view way = count == 2 ? words[1] : "";
  if (way != "planted" && way != "ordered") {
    std::puts("usage: hazard_races planted|ordered");
    return 2;
  }
  run_races(stepgate::stream_races(), way == "ordered");
  run_races(stepgate::memory_races(), way == "ordered");
  return 0;
}

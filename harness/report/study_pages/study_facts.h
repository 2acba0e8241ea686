// The place and the time of a study, for the line below its answer.
#pragma once

#include <string>
#include <vector>

namespace stepgate {

struct StudyOrigin {
  std::string commit;
  std::string runner_class;
  std::string utc;
  double seconds = 0;
};

std::vector<std::string> study_facts(const StudyOrigin& origin);

}  // namespace stepgate

#include "report/study_pages/study_facts.h"

#include "core/emulated_gpu_name.h"
#include "core/text/commit_text.h"
#include "core/text/number_format.h"

namespace stepgate {

std::vector<std::string> study_facts(const StudyOrigin& origin) {
  std::vector<std::string> facts;
  if (!origin.commit.empty()) facts.push_back("commit " + short_commit(origin.commit));
  if (!origin.runner_class.empty()) facts.push_back("runner class " + origin.runner_class);
  if (const std::string gpu = emulated_gpu_of_class(origin.runner_class); !gpu.empty()) facts.push_back(gpu);
  if (!origin.utc.empty()) facts.push_back(origin.utc);
  if (origin.seconds > 0) facts.push_back(duration_text(origin.seconds * 1e9));
  return facts;
}

}  // namespace stepgate

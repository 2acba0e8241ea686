// The workload of tabular/field_transformer/tiny in a stage of its case study, which STEPGATE_TEST_STAGE selects, e.g.
// "model=naive loader=tuned". The stage is no parameter of this program's case: `stepgate ab` compares two builds of
// one case, and builds with different parameters do different jobs.
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <string>

#include "stepgate/perftest.h"
#include "tabular/field_transformer.h"

namespace stepgate {
namespace {

using Params = std::map<std::string, std::string>;

Params stage_of(const char* text) {
  Params stage;
  std::istringstream words(text == nullptr ? "" : text);
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    if (equals == std::string::npos || (name != "model" && name != "loader")) {
      throw std::invalid_argument("STEPGATE_TEST_STAGE: " + word + " is not model=WORD or loader=WORD");
    }
    stage[name] = word.substr(equals + 1);
  }
  return stage;
}

WorkloadFactory factory_of(const FieldTransformerSize& size) {
  return [size](const CaseContext& context) {
    return std::make_unique<FieldTransformer>(context, with_params(size, context.params));
  };
}

}  // namespace
}  // namespace stepgate

int main(int argc, char** argv) {
  try {
    using namespace stepgate;
    const FieldTransformerSize size =
        with_params(tiny_field_transformer(), stage_of(std::getenv("STEPGATE_TEST_STAGE")));
    Params declared = params_of(size);
    declared.erase("model");
    declared.erase("loader");
    return run_perftest(argc, argv,
                        {{.name = "tabular/field_transformer/tiny", .make = factory_of(size), .params = declared}});
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "staged_field_transformer: %s\n", error.what());
    return 2;
  }
}

#define STEPGATE_NO_ANNOTATIONS
#include "figures/annotation_compiled_out.h"

#include <benchmark/benchmark.h>

#include "stepgate/annotation.h"

namespace stepgate::figures {

void annotations_compiled_out(int calls) {
  for (int i = 0; i < calls; ++i) {
    const Annotation range("figure");
    benchmark::ClobberMemory();
  }
}

}  // namespace stepgate::figures

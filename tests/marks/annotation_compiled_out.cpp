// A separate file, because the first include decides the switch.
#define STEPGATE_NO_ANNOTATIONS
#include "marks/annotation_compiled_out.h"

#include "stepgate/annotation.h"

namespace stepgate::test {

int annotated_without_annotations() {
  set_annotations(true);
  const Annotation outer("compiled out");
  const Annotation inner("compiled out, too");
  return annotations_on() ? 1 : 0;
}

static_assert(sizeof(Annotation) == 1, "it holds nothing");

}  // namespace stepgate::test

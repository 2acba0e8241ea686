// A file of the same program that was compiled with STEPGATE_NO_ANNOTATIONS.
#pragma once

namespace stepgate::test {

/// Opens ranges and tries to switch them on; what annotations_on() says there.
int annotated_without_annotations();

}  // namespace stepgate::test

// A function of the same program, compiled with STEPGATE_NO_ANNOTATIONS.
#pragma once

namespace stepgate::test {

/// Opens ranges and tries to switch them on; returns annotations_on() of that file.
int annotated_without_annotations();

}  // namespace stepgate::test

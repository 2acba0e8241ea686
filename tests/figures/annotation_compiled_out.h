// The loop of annotation_cost.cpp, compiled with STEPGATE_NO_ANNOTATIONS.
#pragma once

namespace stepgate::figures {

void annotations_compiled_out(int calls);

}  // namespace stepgate::figures

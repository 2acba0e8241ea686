# stepgate_embed_templates(<target>): compiles the files of templates/project into the target, so that `stepgate init` needs no
# folder beside the program. They are declared in harness/experiment/studies/project_templates.h.
function(stepgate_embed_templates target)
  set(root ${PROJECT_SOURCE_DIR}/templates/project)
  set(text "// Written by CMake from templates/project.\n#include \"experiment/studies/project_templates.h\"\n\nnamespace stepgate {\nnamespace {\n")
  foreach(kind both workload own_loop inference gpu)
    file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${root}/${kind} ${root}/${kind}/*)
    string(APPEND text "constexpr TemplateFile ${kind}_files[] = {\n")
    foreach(name IN LISTS files)
      set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${root}/${kind}/${name})
      file(READ ${root}/${kind}/${name} content)
      string(APPEND text "    {\"${name}\", R\"stepgate(${content})stepgate\"},\n")
    endforeach()
    string(APPEND text "};\n")
  endforeach()
  string(APPEND text "}  // namespace\n
std::span<const TemplateFile> templates_of_both() { return both_files; }
std::span<const TemplateFile> templates_of(ProjectKind kind) {
  if (kind == ProjectKind::workload) return workload_files;
  if (kind == ProjectKind::inference) return inference_files;
  if (kind == ProjectKind::gpu) return gpu_files;
  return own_loop_files;
}

}  // namespace stepgate\n")
  # Only a change is written, so that a configuration alone compiles nothing.
  set(file ${PROJECT_BINARY_DIR}/generated/project_templates.cpp)
  set(before "")
  if(EXISTS ${file})
    file(READ ${file} before)
  endif()
  if(NOT before STREQUAL text)
    file(WRITE ${file} "${text}")
  endif()
  target_sources(${target} PRIVATE ${file})
endfunction()

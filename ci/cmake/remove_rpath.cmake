# cmake -DFILE=program -P remove_rpath.cmake. CMake's install scripts do the same, so no other tool is needed.
file(RPATH_REMOVE FILE "${FILE}")

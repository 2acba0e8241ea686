# cmake -DFILE=program -P remove_rpath.cmake: what CMake's own install scripts do, so that no other tool is needed.
file(RPATH_REMOVE FILE "${FILE}")

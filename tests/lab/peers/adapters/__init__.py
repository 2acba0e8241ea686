"""One file for each tool: writes its input, runs its command line, reads its verdict. None repeats a tool's statistics."""

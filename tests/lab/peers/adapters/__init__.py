"""One file for each tool: writes its input, runs its command line, reads its verdict. No file repeats a tool's statistics."""

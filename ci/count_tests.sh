# Sourced: runs ctest and counts what passed and failed; skipped tests count as neither.
passed=0
failed=0

# run_ctest LOG [ctest options]: shows the tests that did not pass.
run_ctest() {
  local log=$1 total bad
  shift
  mkdir -p "$(dirname "$log")"
  ctest --no-tests=error --output-on-failure "$@" 2>&1 | tee "$log" | grep -vE '^ *(Start +[0-9]+:|[0-9]+/[0-9]+ .* Passed )' || true
  total=$(sed -nE 's/^[0-9]+% tests passed, [0-9]+ tests? failed out of ([0-9]+)$/\1/p' "$log" | tail -n 1)
  bad=$(sed -nE 's/^[0-9]+% tests passed, ([0-9]+) tests? failed out of [0-9]+$/\1/p' "$log" | tail -n 1)
  if [ -z "$total" ]; then failed=$((failed + 1)); return; fi
  passed=$((passed + total - bad))
  failed=$((failed + bad))
}

# count NAME COMMAND...: counts one command as passed or failed.
count() {
  local name=$1
  shift
  say "$name"
  if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $name" >&2; fi
}

# repeat_failures LOG: the output of each failed test again, its last 40 lines, so that the end of a long log tells why.
repeat_failures() {
  awk '
    function show(i) {
      if (!failing) return
      print "== failed: " name
      for (i = lines > 40 ? lines - 39 : 1; i <= lines; ++i) print line[i]
      failing = 0
    }
    /^ *[0-9]+\/[0-9]+ Test +#/ || /^ *Start +[0-9]+:/ || /^[0-9]+% tests passed/ || /^== / {
      show()
      if ($0 ~ /\*\*\*(Failed|Timeout|Exception|Not Run)/) { failing = 1; lines = 0; name = $0 }
      next
    }
    failing { line[++lines] = $0 }
    END { show() }' "$1"
}

# Prints the last line. Its status becomes the status of the script.
print_count() {
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ]
}

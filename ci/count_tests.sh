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

# Prints the last line. Its status becomes the status of the script.
print_count() {
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ]
}

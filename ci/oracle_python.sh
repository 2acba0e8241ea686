# Sourced after paths.sh: comparisons with the Python half of the same LibTorch. Its folder is a wheel
# for Python 3.11, which needs the packages of ci/requirements-oracle.txt (7 MB into the cache).
requirements=$stepgate_root/ci/requirements-oracle.txt
place=$stepgate_cache/oracle
python=$(command -v python3.11) || stop "the wheel of LibTorch is for Python 3.11: apt-get install python3.11-venv"
want=$(sha256sum <"$requirements" | cut -c1-64)
if [ "$(cat "$place/stepgate-stamp" 2>/dev/null)" != "$want" ]; then
  say "installing ci/requirements-oracle.txt into $place"
  rm -rf "$place" # only the stamp marks it as complete
  "$python" -m venv "$place" || stop "python3.11 cannot make virtual environments: apt-get install python3.11-venv"
  "$place/bin/python" -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-deps \
    -r "$requirements" || stop "pip could not install ci/requirements-oracle.txt; the lines above say why"
  echo "$want" >"$place/stepgate-stamp"
fi

# compare_with_python SCRIPT PROGRAM: builds PROGRAM and compares it with what SCRIPT of tests/oracle computes.
compare_with_python() {
  "$stepgate_root/ci/build" "$2"
  PYTHONPATH=$stepgate_torch PYTHONDONTWRITEBYTECODE=1 "$place/bin/python" -W ignore "$stepgate_root/tests/oracle/$1" \
    "$stepgate_build/bin/$2"
}

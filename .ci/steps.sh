# Steps with a heading, a duration and a place in the summary. Sourced by run.

steps=()
failed=0

# step NAME COMMAND…: runs the command (without standard input) and notes how it ended.
step() {
  local name=$1 began=$SECONDS code=0 word=ok
  shift
  printf '\n=== %s\n' "$name"
  "$@" </dev/null || code=$?
  if [ "$code" -ne 0 ]; then
    word="FAILED (exit code $code)"
    failed=$((failed + 1))
  fi
  steps+=("$(printf '%5d s  %-40s %s' $((SECONDS - began)) "$name" "$word")")
  printf -- '--- %s: %s, %d s\n' "$name" "$word" $((SECONDS - began))
}

# Prints how every step ended and leaves with the code of the whole.
summary() {
  printf '\n=== Summary (%d s in all)\n' "$SECONDS"
  printf '%s\n' "${steps[@]}"
  if [ "$failed" -ne 0 ]; then
    printf '%d of %d steps failed.\n' "$failed" "${#steps[@]}"
    exit 1
  fi
  printf 'All %d steps passed.\n' "${#steps[@]}"
}

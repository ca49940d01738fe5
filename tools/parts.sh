# Functions for a run of several parts; source it after tools/env.sh.
#
#   start_parts FOLDER           output and counts go to this folder, below the build folder
#   part NAME WHAT COMMAND...    runs a part; any number of them at once
#   end_parts                    prints slow tests, failures, and `N passed, N failed` over all
#                                parts, which also goes to the file `summary` of the build folder
#
# If the variable PARTS has names of parts, only those run.

start_parts() {
  log=$build/$1
  rm -rf "$log"
  mkdir -p "$log"
  begun_all=$(date +%s)
  trap 'trap - INT TERM; kill 0' INT TERM
}

# Runs the command $3... as the part $1, which shows $2. The command can write its own counts,
# "passed failed", to $log/$1.counts, and the names of what failed to $log/$1.bad.
part() {
  file=$log/$1
  case " ${PARTS:-$1} " in
    *" $1 "*) ;;
    *)
      : > "$file.said"
      return
      ;;
  esac
  what=$2
  shift 2
  say "$what ..."
  begun=$(date +%s)
  times > "$file.cpu"
  if "$@" > "$file.log" 2>&1; then outcome=passed; else outcome=failed; fi
  times >> "$file.cpu"
  seconds=$(($(date +%s) - begun))
  if [ ! -s "$file.counts" ]; then
    if [ $outcome = passed ]; then echo "1 0"; else echo "0 1"; fi > "$file.counts"
  fi
  # The second of two lines is what the children of this shell took, as "1m2.3s 0m4.5s".
  processor=$(awk -F '[ms ]+' 'NR % 2 == 0 { s = 60 * ($1 + $3) + $2 + $4 - s }
                               END { printf "%.0f", s }' "$file.cpu")
  echo "$seconds $processor $what" > "$file.seconds"
  {
    cat "$file.log"
    say "$what: $outcome ($(sed 's/ / passed, /' "$file.counts") failed, $seconds s)"
  } > "$file.said"
  cat "$file.said"
  if [ $outcome = failed ]; then
    {
      echo "$what"
      sed 's/^/  /' "$file.bad" 2> /dev/null
    } > "$file.failed"
  fi
}

# Fails unless something passed, and nothing failed.
end_parts() {
  seconds=$(($(date +%s) - begun_all))
  processors=$(cat "$log"/*.seconds | awk '{ sum += $2 } END { print sum }')
  # What is most is last, where a reader of a long log begins.
  if cat "$log"/*.times > "$log/slowest" 2> /dev/null; then
    say "Seconds of the slowest tests:"
    sort -n "$log/slowest" | tail -n 10 | sed 's/^/  /'
  fi
  say "Seconds of each part, $seconds in all, and of processors, $processors in all:"
  cat "$log"/*.seconds | sort -n | awk '{ printf "  %5d %5d", $1, $2; $1 = $2 = ""; print }'
  if cat "$log"/*.failed > "$log/failures" 2> /dev/null; then
    say "Failed:"
    cat "$log/failures"
  fi
  cat "$log"/*.counts |
    awk '{ passed += $1; failed += $2 }
         END { printf "%d passed, %d failed\n", passed, failed }' | tee "$build/summary"
  [ ! -s "$log/failures" ] && grep -q '^[1-9][0-9]* passed, 0 failed$' "$build/summary"
}

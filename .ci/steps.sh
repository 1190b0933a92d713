# shellcheck shell=bash
# What .ci/run and .ci/nightly share: a folder for everything that their steps write, and a clock.
export CI=true PIP_DISABLE_PIP_VERSION_CHECK=1 PYTEST_ADDOPTS=--durations=10
# Compile installed files at their first import, and keep the result: most files are never imported, the rest very
# often.
export PIP_NO_COMPILE=1 PYTHONDONTWRITEBYTECODE=
# Except for the engines and Maven's files, write everything outside the checkout to a folder that is removed after the
# run. Otherwise cached packages and leftovers of engines fill a disk within a day of runs.
scratch=$(mktemp -d)
mkdir "$scratch/tmp"
chmod 711 "$scratch" "$scratch/tmp" # PostgreSQL runs as another user
export TMPDIR=$scratch/tmp JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=$scratch/tmp PIP_CACHE_DIR=$scratch/pip UV_CACHE_DIR=$scratch/uv \
  npm_config_cache=$scratch/npm
tidy() {
  # End the background run and an interrupted step, then wait for them; their own child processes may outlive them.
  pkill -P "$$,$(pgrep -d, -P $$)" || true
  for _ in {1..600}; do
    pgrep -P $$ >/dev/null || break
    sleep 0.1
  done
  rm -rf "$scratch"
}
trap 'tidy || true' EXIT

clock() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }
times=''
step() { # NAME [COMMAND…]: run a command, and keep its time for the summary
  local started=$SECONDS
  printf '\n=== %s (%s, %s of disk free)\n' "$1" "$(date +%T)" "$(df -Ph . | awk 'NR == 2 { print $4 }')"
  # A hanging step has failed. pytest prints the position of a test after five minutes.
  timeout -k 1m "$limit" "${@:2}"
  times+=$(printf '%7s  %s' "$(clock $((SECONDS - started)))" "$1")$'\n'
  printf -- '--- took %s\n' "$(clock $((SECONDS - started)))"
}

background=''
in_background() { # COMMAND…: run a command with low priority while the steps run; its output goes to .ci/background.log
  "$@" >.ci/background.log 2>&1 &
  background=$!
}

finish() { # wait for the background, then print the times
  local started=$SECONDS
  printf '\n=== waiting for the background (%s)\n' "$(date +%T)"
  if ! wait "$background"; then
    cat .ci/background.log
    exit 1
  fi
  grep -E '^(no )?Python|passed' .ci/background.log
  times+=$(printf '%7s  %s' "$(clock $((SECONDS - started)))" "waiting for the background")$'\n'
  printf '\n=== all passed\n%s%7s  in total\n' "$times" "$(clock $SECONDS)"
}

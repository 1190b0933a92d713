# shellcheck shell=bash

python_of() { # MINOR: print the path of a Python of that minor version
  for candidate in "python3.$1" "$HOME"/.pyenv/versions/3."$1".*/bin/python; do
    if "$candidate" -c 'import ensurepip, venv' 2>/dev/null; then
      echo "$candidate"
      return
    fi
  done
  return 1
}

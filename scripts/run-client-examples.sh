#!/usr/bin/env bash
# Runs the examples of clients in other languages against `ilk serve`, each where its toolchain is:
# scripts/run-client-examples.sh python. A toolchain that is missing is told, and no failure.
set -uo pipefail
cd "$(dirname "$0")/.."

folder=$(mktemp -d)
node bin/ilk serve --storage memory --data-dir "$folder/data" --secure-port 0 --crds examples/tutorial/crd.yaml \
  >"$folder/out" 2>"$folder/err" &
server=$!
trap 'kill "$server" 2>/dev/null; wait "$server" 2>/dev/null; rm -rf "$folder"' EXIT
for _ in $(seq 600); do
  grep -q '^export KUBECONFIG=' "$folder/out" && break
  sleep 0.1
done
export KUBECONFIG=$folder/data/admin.kubeconfig

# What a client must have said, in whatever order the watch and the apply came.
said() {
  local name=$1 out=$2 line
  for line in "applied $name: season summer" "ADDED $name: blooming false" "MODIFIED $name: blooming true" "generation 1, blooming true"; do
    grep -qxF "$line" "$out" || { echo "$name did not say: $line"; cat "$out"; return 1; }
  done
}

python_example() {
  if ! python3 -m venv "$folder/venv" >/dev/null; then
    echo "SKIPPED: this Python has no venv"
    return 0
  fi
  "$folder/venv/bin/pip" install -q -r examples/python/requirements.txt &&
    timeout 120 "$folder/venv/bin/python" examples/python/gardens.py >"$folder/python"
  said python "$folder/python"
}

failed=0
run() {
  local name=$1 tool=$2
  if ! command -v "$tool" >/dev/null; then
    echo "SKIPPED: the $name example (no $tool on the PATH)"
  elif "${name}_example"; then
    echo "the $name example runs"
  else
    failed=1
  fi
}
for name in "$@"; do
  case $name in
    python) run python python3 ;;
    *) echo "there is no example in $name" >&2; exit 2 ;;
  esac
done
exit $failed

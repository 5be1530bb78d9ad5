#!/usr/bin/env bash
# Runs the examples of clients in other languages against `ilk serve`, each where its toolchain is:
# scripts/run-client-examples.sh python java rust. A toolchain that is missing is told, and no failure.
set -uo pipefail
cd "$(dirname "$0")/.."

folder=$(mktemp -d)
node bin/ilk serve --storage memory --data-dir "$folder/data" --secure-port 0 --crds examples/tutorial/crd.yaml \
  >"$folder/out" 2>"$folder/err" &
server=$!
trap 'kill "$server" 2>/dev/null; wait "$server" 2>/dev/null; rm -rf "$folder"' EXIT
for _ in $(seq 600); do
  grep -q '^export KUBECONFIG=' "$folder/out" 2>/dev/null && break
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

java_example() {
  cp -r examples/java "$folder/java-example" &&
    (cd "$folder/java-example" && timeout 300 mvn -q -B compile exec:java) >"$folder/java-output"
  # Maven writes the colours of a terminal whatever it writes to.
  sed 's/\x1b\[[0-9;]*m//g' "$folder/java-output" >"$folder/java"
  said java "$folder/java"
}

# Built where the next run finds it.
rust_example() {
  local target=${CARGO_TARGET_DIR:-${TMPDIR:-/tmp}/ilk-rust-example}
  cp -r examples/rust "$folder/rust-example" &&
    (cd "$folder/rust-example" && CARGO_TARGET_DIR=$target cargo build -q && timeout 120 "$target/debug/gardens") >"$folder/rust"
  said rust "$folder/rust"
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
    java) run java mvn ;;
    rust) run rust cargo ;;
    *) echo "there is no example in $name" >&2; exit 2 ;;
  esac
done
exit $failed

#!/usr/bin/env bash
# Builds etcd from its published Go modules, for tests with versions that no package has: build-etcd.sh FOLDER VERSION...
# Prints the paths of the binaries with colons between, as ILK_TEST_ETCD wants them.
set -euo pipefail
folder=$1
shift
paths=
for version in "$@"; do
  binary=$folder/etcd-$version
  if [ ! -x "$binary" ]; then
    module=$folder/module-$version
    mkdir -p "$module"
    # `go install` refuses modules with replacements, as etcd's are; a module that requires it does not.
    printf 'module etcd\n\ngo 1.22\n' >"$module/go.mod"
    printf 'package main\n\nimport (\n\t"os"\n\n\t"go.etcd.io/etcd/server/v3/etcdmain"\n)\n\nfunc main() { etcdmain.Main(os.Args) }\n' >"$module/main.go"
    (cd "$module" && go get "go.etcd.io/etcd/server/v3@$version" && go mod tidy && go build -p 1 -o "$binary" .) >&2
  fi
  paths=${paths:+$paths:}$binary
done
echo "$paths"

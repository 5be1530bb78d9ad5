#!/usr/bin/env bash
# Builds helm from its published Go module, for the tests of deploy/chart: build-helm.sh FOLDER. Prints the path, as ILK_TEST_HELM wants it.
set -euo pipefail
[ -x "$1/helm" ] || GOBIN=$1 go install helm.sh/helm/v3/cmd/helm@v3.18.6 >&2
echo "$1/helm"

#!/bin/sh
# Makes the certificates of three etcd members and any number of Ilk servers, and a kubeconfig for an administrator.
#   make-certificates.sh FOLDER SERVER ETCD-HOST... -- ILK-HOST...
# Hosts are DNS names or addresses. SERVER is where clients find Ilk: https://ilk.example.com:6443
set -eu

folder=$1
server=$2
shift 2
mkdir -p "$folder"
cd "$folder"
umask 077
days=3650

# The name must not be that of the authority that Ilk makes for itself, ilk-ca: both are asked about clients.
authority() {
  [ -e "$1.crt" ] && return
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days $days \
    -keyout "$1.key" -out "$1.crt" -subj "/CN=example $1" 2>/dev/null
}

# A certificate: authority, name, subject, hosts. Members of etcd are clients of each other, so all are good for both.
certificate() {
  authority=$1 name=$2 subject=$3
  shift 3
  names=DNS:localhost,IP:127.0.0.1
  for host in "$@"; do
    case $host in
    *[!0-9.]*) names=$names,DNS:$host ;;
    *) names=$names,IP:$host ;;
    esac
  done
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes \
    -keyout "$name.key" -out "$name.csr" -subj "$subject" 2>/dev/null
  printf 'subjectAltName=%s\nextendedKeyUsage=serverAuth,clientAuth\n' "$names" >"$name.ext"
  openssl x509 -req -in "$name.csr" -CA "$authority.crt" -CAkey "$authority.key" -CAcreateserial \
    -days $days -out "$name.crt" -extfile "$name.ext" 2>/dev/null
  rm "$name.csr" "$name.ext"
}

authority etcd-ca
authority ilk-ca
number=0
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  number=$((number + 1))
  certificate etcd-ca "etcd-$number" "/CN=etcd-$number" "$1"
  shift
done
[ $# -gt 0 ] && shift
certificate etcd-ca etcd-client /CN=ilk
certificate ilk-ca ilk-server /CN=ilk "$@"
certificate ilk-ca admin /O=system:masters/CN=admin

base64_of() { base64 <"$1" | tr -d '\n'; }
cat >admin.kubeconfig <<END
apiVersion: v1
kind: Config
clusters:
- name: ilk
  cluster:
    server: $server
    certificate-authority-data: $(base64_of ilk-ca.crt)
users:
- name: admin
  user:
    client-certificate-data: $(base64_of admin.crt)
    client-key-data: $(base64_of admin.key)
contexts:
- name: ilk
  context:
    cluster: ilk
    user: admin
current-context: ilk
END

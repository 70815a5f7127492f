#!/bin/bash
# Contexts, tokens and certificates, by the commands that call no daemon and by those that reach none.
# usage: commands.sh WASMBURSTCTL
set -uo pipefail
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export XDG_CONFIG_HOME=$work/config
unset WASMBURST_ADDR WASMBURST_TOKEN WASMBURST_TOKEN_FILE
file=$XDG_CONFIG_HOME/wasmburst/contexts.toml
failures=0

# expect NAME EXIT_CODE PATTERN COMMAND...: the command ends so, and says so (out or err).
expect() {
  local name=$1 code=$2 pattern=$3 said ended
  shift 3
  said=$("$@" 2>&1)
  ended=$?
  [[ $ended -eq $code ]] && grep -qE -- "$pattern" <<<"$said" && return
  echo "FAILED: $name (exit code $ended, not $code, or no [$pattern])"
  head -5 <<<"$said"
  failures=$((failures + 1))
}
# is NAME COMMAND...
is() {
  "${@:2}" && return
  echo "FAILED: $1"
  failures=$((failures + 1))
}
ctl() { "$program" --timeout 20s "$@"; }
mode() { stat -c %a "$1" 2>/dev/null || stat -f %Lp "$1"; }
has_mode() { [[ $(mode "$2") == "$1" ]]; }

# Certificates.
expect "tls init prints the daemon's lines" 0 '^certificate = ".*/tls/server.pem"$' \
  "$program" tls init tls --host localhost --host 127.0.0.1 --days 30
expect "and refuses to run again" 2 "server.pem\] is there already" "$program" tls init tls --host b
expect "a client's certificate" 0 '^certificate = "render"$' "$program" tls client tls --name render
expect "its SPIFFE identity" 0 '^certificate = "spiffe://lab/b"$' \
  "$program" tls client tls --name b --spiffe spiffe://lab/b
expect "as JSON" 0 '"key":".*/tls/c.key"' "$program" -o jsonl tls client tls --name c
expect "a wrong number of days" 2 "not from 1 to" "$program" tls client tls --name d --days 0
expect "no authority" 2 "has no authority" "$program" tls client none --name d
is "files are of their owner" has_mode 600 tls/ca.key
if command -v openssl >/dev/null 2>&1; then
  expect "openssl takes the server's" 0 "OK" \
    openssl verify -x509_strict -purpose sslserver -verify_hostname localhost -CAfile tls/ca.pem tls/server.pem
  expect "by its address too" 0 "OK" \
    openssl verify -x509_strict -verify_ip 127.0.0.1 -CAfile tls/ca.pem tls/server.pem
  expect "and the client's" 0 "OK" \
    openssl verify -x509_strict -purpose sslclient -CAfile tls/ca.pem tls/b.pem
fi

# Contexts.
(umask 077 && echo wbt_SECRET >lab.token)
expect "a context needs an address" 2 "--addr" ctl context add lab
expect "a wrong address" 2 "none of unix://" ctl context add lab --addr http://x
expect "a wrong name" 2 "other characters" ctl context add "a b" --addr tcp://127.0.0.1:1
expect "a context is added" 0 "added in $file" \
  ctl context add lab --addr tls://127.0.0.1:1 --ca tls/ca.pem --token-file lab.token
is "in a file of its owner" has_mode 600 "$file"
expect "with whole paths" 0 "token_file = ['\"]$work/lab.token" cat "$file"
expect "another" 0 "" ctl context add far --addr tcp://192.0.2.1:1 --token-file lab.token
expect "one that is not there" 3 "no context \[x\]; there are \[far\], \[lab\]" ctl context use x
expect "none is in use" 5 "run/wasmburst/wasmburstd.sock" ctl server info
expect "one is put in use" 0 "now go to \[tls://127.0.0.1:1\]" ctl context use lab
expect "and is marked" 0 '^\* +lab +tls' ctl context list
expect "for programs too" 0 '"name":"lab","current":true,"addr":"tls://127.0.0.1:1","token_file"' \
  ctl context list -o jsonl
expect "and is used" 5 "tls://127.0.0.1:1" ctl server info
expect "a flag goes first" 5 "unix:///nowhere" ctl --addr unix:///nowhere server info
expect "so does the environment" 5 "unix:///there" env WASMBURST_ADDR=unix:///there "$program" server info
expect "which is said" 0 "WASMBURST_ADDR" env WASMBURST_ADDR=unix:///there "$program" context use lab
expect "a flag names another" 2 "plain text" ctl --context far server info
expect "an unknown one" 3 "NOT_FOUND" ctl --context x server info
expect "a context is removed" 0 "No context is in use now" ctl context remove lab
expect "and gone" 3 "NOT_FOUND" ctl context remove lab
echo "odd = 1" >>"$file"
expect "a damaged file is named with the line" 2 "contexts.toml:[0-9]+:" ctl server info
expect "and stops no other call" 5 "unix:///nowhere" ctl --addr unix:///nowhere server info
rm "$file"

# Tokens and files.
chmod 644 lab.token
expect "a token that others can read" 2 "chmod 600 'lab.token'" ctl --token-file lab.token whoami
expect "--help and completion work all the same" 0 "complete -F" ctl --token-file lab.token completion bash
chmod 600 lab.token
expect "a token over plain text" 2 "plain text" ctl --addr tcp://192.0.2.1:1 --token-file lab.token whoami
expect "by the environment" 2 "plain text" \
  env WASMBURST_TOKEN_FILE=lab.token "$program" --addr tcp://192.0.2.1:1 whoami
expect "a wrong token in the environment" 2 "WASMBURST_TOKEN holds no token" \
  env WASMBURST_TOKEN=nonsense "$program" whoami
expect "files of TLS without TLS" 2 "has no TLS, which --ca is for" ctl --ca tls/ca.pem server info
expect "a malformed file" 2 "lab.token\] holds no certificate" ctl --addr tls://127.0.0.1:1 --ca lab.token whoami
expect "a certificate without its key" 2 "by --key FILE" ctl --addr tls://127.0.0.1:1 --cert tls/b.pem whoami
expect "another's key" 2 "is not the key of" \
  ctl --addr tls://127.0.0.1:1 --cert tls/b.pem --key tls/c.key whoami
said=$(ctl --addr tls://127.0.0.1:1 --token-file lab.token whoami 2>&1)
is "a token's text is not in errors" test "${said/SECRET/}" = "$said"
expect "a token's file is not overwritten" 2 "is there already" \
  ctl token create --tenant a --role viewer --out lab.token
expect "a daemon that is not there leaves no file" 5 "" \
  ctl --addr unix:///nowhere token create --tenant a --role viewer --out new.token
is "a file is left" test ! -e new.token
# What a report needs.
expect "a bundle without a daemon" 0 "report.tar.gz" \
  env WASMBURST_TOKEN=wbt_SECRET "$program" --addr unix:///nowhere debug bundle report.tar.gz
expect "has its files" 0 "doctor.txt" tar -tzf report.tar.gz
expect "which say what is wrong" 0 "wrong reachable" tar -xOzf report.tar.gz wasmburst-debug/doctor.txt
is "a token is in it" eval '! tar -xOzf report.tar.gz | grep -q SECRET'
is "it is its owner's" has_mode 600 report.tar.gz
expect "a bundle is not overwritten" 2 "is there already" ctl debug bundle report.tar.gz

expect "an unknown role" 2 "viewer" ctl token create --tenant a --role king

[[ $failures -eq 0 ]] && echo "identity.commands: all passed"
exit $((failures > 0))

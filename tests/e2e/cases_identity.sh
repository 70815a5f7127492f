# Who asks: tokens, TLS, certificates, and tenants that do not see each other.
guest=$here/guest.wat
identity=$work/identity
mkdir "$identity"
identity_socket=$identity/wasmburstd.sock
identity_daemon=

# start_identity_daemon CLIENT_CA: empty: clients need no certificate.
start_identity_daemon() {
  cat >"$identity/config.toml" <<TOML
version = 1
[server]
drain_timeout = "1s"
[tls]
certificate = "$identity/tls/server.pem"
key = "$identity/tls/server.key"
${1:+client_ca = \"$1\"}
[[identity]]
certificate = "render-farm"
tenant = "render"
role = "submitter"
[[listen]]
address = "unix://$identity_socket"
[[listen]]
address = "tls://127.0.0.1:0"
TOML
  : >"$identity/log"
  XDG_STATE_HOME=$identity/state "$daemon" --config "$identity/config.toml" 2>"$identity/log" &
  identity_daemon=$!
  await_listening "$identity_daemon" "$identity/log"
  tls=$(sed -n 's/.*address=\(tls:[^ ]*\).*/\1/p' "$identity/log" | head -1)
}
stop_identity_daemon() {
  kill -TERM "$identity_daemon"
  wait "$identity_daemon"
}
admin() { ctl --addr "unix://$identity_socket" "$@"; }
far() { ctl --addr "$tls" --ca "$identity/tls/ca.pem" "$@"; }       # by TLS, with nothing else
as() { far --token-file "$identity/$1.token" "${@:2}"; }            # by TLS, with a token
by() { far --cert "$identity/tls/$1.pem" --key "$identity/tls/$1.key" "${@:2}"; } # with a certificate
fac() { "$@" -q job run "$guest" --call fac --arg 0..4 --placement interpreter -o jsonl; }

expect "certificates are made" 0 "BEGIN CERTIFICATE" \
  bash -c '"$1" -q tls init "$2" --host localhost --host 127.0.0.1 >/dev/null && cat "$2/server.pem"' \
  _ "$ctl_program" "$identity/tls"
ctl -q tls client "$identity/tls" --name render-farm >/dev/null
ctl -q tls client "$identity/tls" --name stranger >/dev/null
start_identity_daemon ""

# Tokens are made and listed over the Unix socket.
expect "whoever starts the daemon is its administrator" 0 "role +admin" admin whoami
for holder in viewer:render:viewer render:render:submitter film:film:submitter; do
  IFS=: read -r name tenant role <<<"$holder"
  admin -q token create --tenant "$tenant" --role "$role" --note "for $name" \
    --expires 1h --out "$identity/$name.token" >"$identity/$name.name"
  expect "a token for $name" 0 "^tokens/[0-9a-f]{16}$" cat "$identity/$name.name"
done
expect "tokens are listed" 0 "$(cat "$identity/render.name") +render +submitter .*for render" \
  admin token list
expect "without their texts" 1 "" grep -qF "$(cat "$identity/render.token")" <(admin token list -o json)
expect "a token's text is printed once" 0 "^wbt_[0-9a-f]{16}_[0-9a-f]{64}$" \
  admin -q token create --tenant render --role viewer

# By TLS a caller is who its token says.
expect "a token over TLS" 0 "tenant +render" as render whoami
expect "its role" 0 '"role": *"SUBMITTER"' as render whoami -o json
expect "no token" 4 "UNAUTHENTICATED" far job list
expect "a token that nobody made" 4 "UNAUTHENTICATED" \
  env WASMBURST_TOKEN="wbt_0123456789abcdef_$(printf '%064d' 0)" \
  "$ctl_program" --addr "$tls" --ca "$identity/tls/ca.pem" job list
expect "the wrong authority" 4 "is not trusted.*--ca FILE" ctl --addr "$tls" job list
expect "plain text to a TLS listener" 5 "wants TLS: use --addr $tls" ctl --addr "tcp${tls#tls}" job list
expect "another name of the daemon" 4 "is not for .elsewhere.*\[localhost\]" \
  far --server-name elsewhere job list
expect "a job with a token over TLS" 0 '"values":\[6\]' fac as render
expect "a viewer submits nothing" 4 "PERMISSION_DENIED" fac as viewer
expect "but sees its tenant's jobs" 0 "jobs/" as viewer job list
expect "a submitter makes no tokens" 4 "PERMISSION_DENIED" \
  as render token create --tenant render --role viewer

# Tenants do not see each other.
job=$(as render -q job list -o jsonl | sed -n 's/.*"name":"\(jobs\/[^"]*\)".*/\1/p' | head -1)
expect "a tenant sees its job" 0 "SUCCEEDED" as render job get "$job"
expect "another tenant does not" 3 "NOT_FOUND" as film job get "$job"
expect "nor cancels it" 3 "NOT_FOUND" as film job cancel "$job"
expect "nor deletes it" 3 "NOT_FOUND" as film job rm "$job"
expect "nor reads its results" 3 "NOT_FOUND" as film job results "$job"
expect "nor looks at an instance" 3 "NOT_FOUND" as film job dump "$job" 0 --json
expect "nor runs one again" 3 "NOT_FOUND" as film job replay "$job" 0
[[ -z $(as film -q job list -o jsonl) ]] && pass "nor lists it" || fail "nor lists it"
expect "an administrator does" 0 "SUCCEEDED" admin job get "$job"
expect "tenants are listed" 0 "^render " admin tenant list

# A revoked token.
expect "a token is revoked" 0 "revoked" admin token revoke "$(cat "$identity/film.name")"
expect "and is no token any more" 4 "UNAUTHENTICATED" as film job list
expect "twice is too often" 3 "NOT_FOUND" admin token revoke "$(cat "$identity/film.name")"
expect "others go on" 0 "tenant +render" as render whoami

# The doctor, and what a report has of a job.
expect "doctor finds nothing wrong" 0 "ok +identity +token:[0-9a-f]{16}, tenant render" as render doctor
expect "but a missing token" 1 "wrong +identity" far doctor
expect "a bundle" 0 "bundle.tar.gz" admin debug bundle "$identity/bundle.tar.gz"
expect "has the jobs" 0 "$job" tar -xOzf "$identity/bundle.tar.gz" wasmburst-debug/jobs.json
expect "without what they were given" 1 "" \
  bash -c 'tar -xOzf "$1" | grep -E "\"(steps|columns)\": .$|\"labels\": .$|wbt_|\"fac\""' _ "$identity/bundle.tar.gz"

# Contexts keep all of it.
export XDG_CONFIG_HOME=$identity/config
expect "a context" 0 "added" as render context add lab
expect "reaches the daemon" 0 "tenant +render" ctl --context lab whoami
unset XDG_CONFIG_HOME
stop_identity_daemon

# Tokens outlive the daemon. Now clients need certificates.
start_identity_daemon "$identity/tls/ca.pem"
expect "no certificate" 4 "demands a client certificate.*--cert" far whoami
expect "a token alone" 4 "demands a client certificate" as render whoami
expect "a certificate" 0 "tenant +render" by render-farm whoami
expect "its role" 0 "role +submitter" by render-farm whoami
expect "a job with it" 0 '"values":\[6\]' fac by render-farm
expect "a certificate that nobody named" 4 "UNAUTHENTICATED|PERMISSION_DENIED" by stranger job list
expect "a token goes before it" 0 "role +viewer" by stranger --token-file "$identity/viewer.token" whoami
ctl -q tls init "$identity/other" --host localhost >/dev/null
ctl -q tls client "$identity/other" --name render-farm >/dev/null
expect "a certificate of another authority" 4 "refuses the client certificate" \
  far --cert "$identity/other/render-farm.pem" --key "$identity/other/render-farm.key" whoami
stop_identity_daemon

#!/bin/sh
# Asks MCP hosts themselves whether they see docent after `docent setup`, and
# that they do not after `docent remove`. Installs the hosts with npm into a
# temporary directory and uses a temporary home; no login is needed. Node.js 22
# comes from npm, too. HOSTS_DIR names a directory that keeps the installation.
set -u

go=${GO:-go}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
install=${HOSTS_DIR:-$work/npm}
mkdir -p "$install" "$work/home" "$work/project" "$work/bin"
$go build -o "$work/bin/docent" ./cmd/docent || exit 1

command -v npm >/dev/null || { echo 'hosts: npm is not here'; exit 1; }
for package in node@22 @anthropic-ai/claude-code @openai/codex @google/gemini-cli opencode-ai @github/copilot; do
	npm install --prefix "$install" --no-audit --no-fund --no-update-notifier "$package" >"$work/npm.log" 2>&1 ||
		echo "hosts: $package cannot be installed: $(tail -n 1 "$work/npm.log")"
done

HOME=$work/home
PATH=$work/bin:$install/node_modules/.bin:$PATH
export HOME PATH
unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_CACHE_HOME CLAUDE_CONFIG_DIR CODEX_HOME COPILOT_HOME
cd "$work/project" || exit 1
git init -q . 2>/dev/null
mkdir -p "$HOME/.gemini" # Gemini CLI starts servers only in folders that the user trusts
printf '{"%s": "TRUST_FOLDER"}\n' "$work/project" >"$HOME/.gemini/trustedFolders.json"

failed=0 asked=0
# ask HOST PROGRAM EXPECTED ARGUMENT...: the program's list of servers has a line
# with docent and EXPECTED, or, after removal, none with docent.
ask() {
	host=$1 program=$2 expected=$3
	shift 3
	[ -x "$install/node_modules/.bin/$program" ] || { echo "skipped  $host: not installed"; return; }
	"$program" --version >"$work/version" 2>&1 || { echo "skipped  $host: it does not start here: $(tail -n 1 "$work/version")"; return; }
	asked=$((asked + 1))
	for step in setup again remove; do
		case $step in
		setup | again) docent setup --host "$host" --yes >"$work/out" 2>&1 ;;
		remove) docent remove --host "$host" --yes >"$work/out" 2>&1 ;;
		esac || { echo "FAILED   $host: docent $step"; cat "$work/out"; failed=1; return; }
		if [ $step = again ]; then
			grep -q 'Nothing to change' "$work/out" || { echo "FAILED   $host: a second setup changes something"; cat "$work/out"; failed=1; }
			continue
		fi
		timeout 120 "$program" "$@" >"$work/list" 2>&1
		if [ $step = setup ]; then
			grep 'docent' "$work/list" | grep -q "$expected" || { echo "FAILED   $host: docent is not listed with '$expected'"; cat "$work/list"; failed=1; return; }
		elif grep -q 'docent' "$work/list"; then
			echo "FAILED   $host: docent is listed after removal"; cat "$work/list"; failed=1; return
		fi
	done
	echo "passed   $host $(grep -v WARNING "$work/version" | head -n 1): $program $* lists docent ($expected) after setup, not after remove"
}

ask claude-code claude Connected mcp list
ask codex codex enabled mcp list
ask gemini gemini Connected mcp list
ask opencode opencode connected mcp list
ask copilot copilot local mcp list
[ "$asked" -gt 0 ] || { echo 'hosts: no host could be asked'; exit 1; }
exit $failed

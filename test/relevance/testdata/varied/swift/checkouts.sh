# Checks out what Package.resolved names, where the package manager does: its own
# program is not needed. Each location and its revision stand on lines of their own.
set -e
location=
while read -r key _ value; do
	value=${value#\"}
	value=${value%,}
	value=${value%\"}
	case $key in
	'"location"') location=$value ;;
	'"revision"')
		dir=.build/checkouts/$(basename "$location" .git)
		git init -q "$dir"
		git -C "$dir" fetch -q --depth 1 "$location" "$value"
		git -C "$dir" checkout -q FETCH_HEAD
		;;
	esac
done <Package.resolved

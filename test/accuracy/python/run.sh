#!/bin/sh
# Compares what Docent reads of the Python packages of packages.txt, and of the
# standard library, with what the interpreter says that imports them, and with
# griffe; mypy's typeshed tells of compiled modules of the library. Needs python3 and pip; installs below DOCENT_ACCURACY/python, by default
# .accuracy/python at the root of the repository.
#
#	test/accuracy/python/run.sh              the packages of packages.txt
#	test/accuracy/python/run.sh a.b c …      these modules of what is installed
#	LIST=list test/accuracy/python/run.sh    with each difference
#
# The judges' answers are kept as long as the package and oracle.py are the same, so that
# a second run goes on where the first one stopped.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
dir=${DOCENT_ACCURACY:-$root/.accuracy}/python
go=${GO:-go}
mkdir -p "$dir/said"
parts=$*
[ -x "$dir/venv/bin/python" ] || ${PYTHON:-python3} -m venv "$dir/venv"
python=$dir/venv/bin/python
if [ $# -eq 0 ]; then
	"$python" -m pip install -q --disable-pip-version-check griffe mypy $(sed -n 's/^\([^#][^ ]*\) .*/\1/p' "$here/packages.txt" | sort -u)
	set -- $(sed -n 's/^[^#][^ ]* //p' "$here/packages.txt") \
		argparse ast asyncio collections concurrent.futures configparser contextlib csv dataclasses datetime decimal email enum fractions functools \
		html http importlib inspect io ipaddress json logging multiprocessing os pathlib pickle random re shutil socket sqlite3 ssl statistics string \
		subprocess tempfile threading tomllib traceback typing unittest urllib uuid xml zipfile
fi
site=$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
standard=$("$python" -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')
answers=$dir/answers/$(cksum < "$here/oracle.py" | cut -d ' ' -f 1)
mkdir -p "$answers"
rm -f "$dir"/said/*
for module; do
	package=$site/${module%%.*}
	[ -e "$package" ] || package=$package.py
	for judge in inspect griffe; do
		answer=$answers/$module.$judge
		if [ ! -s "$answer" ] || [ -n "$(find "$package" -maxdepth 0 -newer "$answer" 2> /dev/null)" ]; then
			# A package that cannot be imported has no lines, and compare says so.
			timeout 600 "$python" "$here/oracle.py" $judge "$module" > "$answer.part" 2> "$answer.log" </dev/null || :
			mv "$answer.part" "$answer"
		fi
		ln "$answer" "$dir/said/"
	done
done
cd "$root"
failed=0
"$go" run ./test/accuracy/python compare "$site" "$standard" "$dir/said" ${LIST:-} || failed=1
# The parts of declarations, of the modules that this interpreter can import.
"$python" "$here/parts.py" modules ${parts:-anyio attr click fastapi flask httpx jinja2 more_itertools packaging pydantic requests rich starlette structlog tenacity typer websockets werkzeug} \
	2> "$dir/parts.log" < /dev/null | "$go" run ./test/accuracy/python parts "$site" "$standard" | "$python" "$here/parts.py" compare ${LIST:-} || failed=1
exit $failed

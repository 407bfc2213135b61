"""Runs the docent binary that is installed beside this module."""

import os
import subprocess
import sys
import sysconfig


def _binary() -> str:
    name = "docent" + (sysconfig.get_config_var("EXE") or "")
    schemes = [sysconfig.get_path("scripts"), os.path.dirname(os.path.abspath(sys.argv[0]))]
    if "%s_user" % os.name in sysconfig.get_scheme_names():
        schemes.append(sysconfig.get_path("scripts", "%s_user" % os.name))
    for directory in schemes:
        path = os.path.join(directory, name)
        if os.path.isfile(path):
            return path
    sys.exit("docent: the program %s is not in %s; install the package again" % (name, " or ".join(schemes)))


def main() -> None:
    arguments = [_binary(), *sys.argv[1:]]
    if os.name == "nt":
        sys.exit(subprocess.call(arguments))
    os.execv(arguments[0], arguments)

"""Runs the tests in the files test_*.py of the working directory, and prints the lines that fail.
Lines of a test after the one that fails, which do not run, have the prefix ~.

Imports and classes of a test stand in its function, so that all tests run.
"""
import importlib
import inspect
import pathlib
import sys
import traceback

sys.path.insert(0, ".")


def line(error, file):
    """Returns the last line of a file in a traceback."""
    return [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if pathlib.Path(frame.filename).name == file][-1]


for path in sorted(pathlib.Path().glob("test_*.py")):
    try:
        module = importlib.import_module(path.stem)
    except Exception as error:
        print(f"{path.name}:{line(error, path.name)}")
        continue
    for name, test in list(vars(module).items()):
        if name.startswith("test_"):
            try:
                test()
            except Exception as error:
                failing = line(error, path.name)
                print(f"{path.name}:{failing}")
                lines, start = inspect.getsourcelines(test)
                for number in range(failing + 1, start + len(lines)):
                    print(f"~{path.name}:{number}")

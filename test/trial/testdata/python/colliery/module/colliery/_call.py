from __future__ import annotations

import dataclasses
import time


class CollieryError(Exception):
    """What the service refuses."""


class RefusedError(CollieryError):
    """The account may not do it."""


class LateError(CollieryError, TimeoutError):
    """Waiting took longer than allowed."""


class Caller:
    def __init__(self, settings, errors):
        self._settings, self._errors = settings, errors

    def call(self, operation, kind, input, config, result):
        from .config import CallConfig, Exchange

        base, own = self._settings.call, config or CallConfig()
        attempts = next(n for n in (own.attempts, base.attempts, 3) if n is not None)
        rehearse = next(r for r in (own.rehearse, base.rehearse, False) if r is not None)
        fields = {k: v for k, v in vars(input).items() if v is not None}
        request = Exchange(operation, fields, self._settings.account, rehearse, {**base.notes, **own.notes})
        for attempt in range(1, attempts + 1):
            reply = dict(self._settings.transport(request))
            fault = reply.pop("fault", None)
            if fault is None:
                return build(result, reply["value"])
            if fault != "Busy" or attempt == attempts:
                break
        error = RefusedError() if fault == "Refused" else getattr(self._errors, f"{kind}{fault}Error")()
        vars(error).update(reply)
        raise error


def build(result, value):
    made = object.__new__(result)
    for f in dataclasses.fields(result):
        setattr(made, f.name, value.get(f.name))
    if isinstance(made_items := getattr(made, "items", None), list):
        made.items = [build_item(i) for i in made_items]
    return made


def build_item(value):
    from types import SimpleNamespace

    return SimpleNamespace(**value)


def every(page, input):
    while True:
        found = page(input)
        yield from found.items
        if found.next_token is None:
            return
        input = dataclasses.replace(input, token=found.next_token)


def until(view, pause, most, missing_ok):
    begin = time.monotonic()
    while True:
        try:
            thing = view()
        except CollieryError as error:
            if missing_ok and type(error).__name__.endswith("MissingError"):
                return None
            raise
        if thing.state != "changing":
            return thing
        if most is not None and time.monotonic() - begin > most:
            raise LateError
        time.sleep(pause)

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

if TYPE_CHECKING:
    from ._foundry import Foundry

T = TypeVar("T")

Status = Literal["changing", "settled", "resting", "struck"]
"""What a thing does."""


@dataclass
class Exchange:
    """One request."""

    operation: str
    """Kind and operation: ``"bells.show"``."""
    request: dict[str, Any]
    """Fields of the request that are set."""
    caller: str
    """Name of the caller."""
    attempt: int
    """Counts attempts, from 1."""
    rehearse: bool
    """True for a call that changes nothing."""
    notes: dict[str, str]
    """Those of :func:`connect` and of the call."""


@dataclass(kw_only=True)
class CallOptions:
    """Options of a call; each that is set wins over the one in :func:`connect`."""

    attempts: int | None = None
    """How often a call is made that somebody else's change keeps from succeeding. Left out: 2."""
    rehearse: bool | None = None
    """Checks the call and changes nothing. See the README. Left out: False."""
    notes: dict[str, str] = field(default_factory=dict)
    """Notes for the trail. They are added to those of :func:`connect`."""


@dataclass(kw_only=True)
class UntilOptions:
    """Options of ``until_settled``."""

    pause: float | None = None
    """Seconds between two looks."""
    most: float | None = None
    """Seconds after which it gives up with a :class:`LateError`. Left out: never."""
    or_missing: bool = False
    """Gives None for a thing that is missing, in place of its error."""


@dataclass
class Page(Generic[T]):
    """One page of things."""

    items: list[T]
    following: str | None = None
    """What to pass as ``cursor`` for the next page; None on the last."""


@dataclass
class TrailEntry:
    """Something that happened."""

    at: str
    by: str
    what: str


class FoundryError(Exception):
    """What the service refuses."""

    code: str = ""
    details: dict[str, Any]
    """What the service sent along: ``by`` of a busy error, ``known`` of a stale one."""

    def __init__(self, code: str, details: dict[str, Any]):
        super().__init__(code)
        self.code, self.details = code, details


class LateError(TimeoutError):
    """``until_settled`` took longer than ``most``."""


def is_fault(error: BaseException, what: Literal["missing", "busy", "stale", "barred"]) -> bool:
    """Whether an error is this fault of any kind of thing."""
    return isinstance(error, FoundryError) and error.code.endswith("." + what)


class Caller:
    def __init__(self, wire: Callable[[Exchange], dict[str, Any]], caller: str, options: CallOptions):
        self._wire, self._caller, self._options = wire, caller, options

    def call(self, operation: str, request: Any, options: CallOptions | None, made: Any, page: bool) -> Any:
        o, d = options or CallOptions(), self._options
        attempts = o.attempts or d.attempts or 2
        rehearse = bool(d.rehearse if o.rehearse is None else o.rehearse)
        fields = {k: v for k, v in vars(request).items() if v is not None}
        for attempt in range(1, attempts + 1):
            reply = self._wire(Exchange(operation, fields, self._caller, attempt, rehearse, d.notes | o.notes))
            fault = reply.get("fault")
            if fault is None:
                break
            if not fault.endswith(".busy") or attempt == attempts:
                raise _fault(fault, reply.get("details", {}))
        value = reply["value"]
        if page:
            return Page([_make(made, v) for v in value["items"]], value.get("following"))
        return _make(made, value)


def _make(made: Any, value: Any) -> Any:
    if made is None:
        return value
    thing = object.__new__(made)
    for f in dataclasses.fields(made):
        setattr(thing, f.name, value.get(f.name))
    return thing


def _fault(code: str, details: dict[str, Any]) -> FoundryError:
    for kind in FoundryError.__subclasses__():
        if kind.code == code:
            return kind(code, details)
    return FoundryError(code, details)


def every(draw: Callable[[Any], Page[T]], request: Any) -> Iterator[T]:
    while True:
        page = draw(request)
        yield from page.items
        if page.following is None:
            return
        request = dataclasses.replace(request, cursor=page.following)


def until(look: Callable[[], Any], options: UntilOptions | None, pause: float) -> Any:
    o = options or UntilOptions()
    end = None if o.most is None else time.monotonic() + o.most
    while True:
        try:
            thing = look()
        except FoundryError as error:
            if o.or_missing and is_fault(error, "missing"):
                return None
            raise
        if thing.status != "changing":
            return thing
        if end is not None and time.monotonic() >= end:
            raise LateError("it is still changing")
        time.sleep(pause if o.pause is None else o.pause)


def connect(*, wire: Callable[[Exchange], dict[str, Any]], caller: str, options: CallOptions | None = None) -> Foundry:
    """Makes a client. It sends nothing by itself.

    Args:
        wire: Brings a request to the service and gives its reply: ``{"value": …}``, or ``{"fault": code, "details": …}``,
            which becomes a :class:`FoundryError`.
        caller: Signs calls.
        options: Options of all calls.
    """
    from ._foundry import Foundry

    return Foundry(Caller(wire, caller, options or CallOptions()))

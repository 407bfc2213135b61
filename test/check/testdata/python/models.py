from dataclasses import asdict, dataclass, field, replace
from typing import NamedTuple, Optional, TypedDict

import attr
import attrs
import jsonschema
import marshmallow as ma
from pydantic import BaseModel, BaseSettings, ConfigDict, Field, RootModel, ValidationError, field_validator, model_validator, parse_obj_as, validator
from pydantic import TypeAdapter


class User(BaseModel):
    model_config = ConfigDict(extra="forbid", orm_mode=True)
    id: int
    name: str = Field("x", max_length=10, regex="a+")
    tags: list[str] = Field(default_factory=list, min_items=1)
    parent: Optional["User"] = None

    @field_validator("name", mode="before", always=True)
    @classmethod
    def check(cls, v):
        return v.strip()

    @model_validator(mode="after")
    def both(self):
        if self.nam == "x":
            raise ValueError
        return self


def snippet_1(data):
    user = User.parse_obj(data)
    return user.dict(), user.json(), user.model_dump_json(indent=2), user.to_dict()


def snippet_2(data):
    user = User.model_validate(data, strict=True)
    copy = user.model_copy(update={"name": "y"}, deep=True)
    return copy.tags[0].uper(), copy.parent.name, copy.model_fields_set, copy.fields_set


def snippet_3(data):
    try:
        User(id="x", nmae="y")
    except ValidationError as e:
        return e.errors(), e.json(), e.messages
    return User.model_json_schema(), User.schema_json(), User.model_schema()


def snippet_4(data):
    adapter = TypeAdapter(list[User])
    users = adapter.validate_python(data)
    return adapter.dump_json(users), adapter.json_schema(), adapter.parse(data)


class Tags(RootModel[list[str]]):
    pass


def snippet_5():
    t = Tags(["a"])
    return t.root, t.model_dump(), t.__root__, t.rot


@dataclass(frozen=True, slots=True)
class Point:
    x: int
    y: int = 0
    label: str = field(default="p", compare=False)

    def norm(self):
        return (self.x**2 + self.y**2) ** 0.5


def snippet_6():
    p = Point(1, z=3)
    q = replace(p, x=2)
    return q.norm().as_integer_ratio(), asdict(q), q.lable, p.norm(2)


def snippet_7():
    points = [Point(i, i) for i in range(3)]
    by = {p.label: p for p in points}
    best = max(points, key=lambda p: p.norm())
    return by["p"].x.bit_length(), best.labl, sorted(points, key=lambda p: p.yy)


class Row(TypedDict, total=False):
    id: int
    name: str


def snippet_8():
    row = Row(id=1, nam="x")
    row2: Row = {"id": 1, "name": "y"}
    return row["id"], row2["name"].uppr(), row.has_key("id")


class Pair(NamedTuple):
    left: str
    right: int = 0


def snippet_9():
    p = Pair("a")
    left, right = p
    return p._replace(left="b"), p._asdict(), left.capitalise(), right.real, p.middle, Pair(l="a")


@attrs.define
class Config:
    path: str
    retries: int = attrs.field(default=3, validator=attrs.validators.instance_of(int), convert=int)
    items: list = attrs.Factory(list)


def snippet_10():
    c = Config("x", retry=2)
    return attrs.asdict(c), attrs.evolve(c, path="y"), c.retires, attrs.fields_of(Config)


@attr.s(auto_attribs=True)
class Old:
    a: int = attr.ib(default=1)
    b: str = attr.ib(factory=str)


def snippet_11():
    o = Old(a=2, c=3)
    return attr.asdict(o), o.b.strp(), attr.has(Old), attr.to_json(o)


class UserSchema(ma.Schema):
    id = ma.fields.Int(required=True, dump_only=True)
    name = ma.fields.Str(missing="x", validate=ma.validate.Length(min=1))
    when = ma.fields.DateTime(format="iso", timezone="utc")

    class Meta:
        ordered = True
        unknown = ma.EXCLUDE


def snippet_12(data):
    schema = UserSchema(many=True, strict=True)
    try:
        return schema.load(data), schema.dump(data, many=False), schema.dump_json(data)
    except ma.ValidationError as e:
        return e.messages, e.errors


def snippet_13(data):
    jsonschema.validate(instance=data, schema={}, strict=True)
    v = jsonschema.Draft202012Validator({"type": "object"})
    return [e.message for e in v.iter_errors(data)], v.is_valid(data), v.errors


def snippet_14(data):
    class Inner(BaseModel):
        value: int

        def double(self) -> int:
            return self.valu * 2

    return parse_obj_as(list[Inner], data), Inner(value=1).double(), Inner(value=1).duble()


class Settings(BaseSettings):
    debug: bool = False


def snippet_15():
    s = Settings(debug=True)
    return s.debug, s.reload()

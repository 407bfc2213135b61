"""Orders of a shop, checked by pydantic 1."""
from typing import List, Optional

import pydantic
from pydantic import BaseModel, ValidationError


class Item(BaseModel):
    name: str
    price: float = 1.0


class Order(BaseModel):
    items: List[Item] = []
    note: Optional[str] = None


def test_settings():
    assert pydantic.BaseSettings


def test_import_settings():
    from pydantic import BaseSettings

    class Settings(BaseSettings):
        url: str = "x"

    assert Settings().url == "x"


def test_constr_regex():
    assert pydantic.constr(regex="^a+$")


def test_conlist_min_items():
    assert pydantic.conlist(int, min_items=1)


def test_conlist_max_items():
    assert pydantic.conlist(int, max_items=3)


def test_error_wrappers():
    from pydantic.error_wrappers import ErrorWrapper

    assert ErrorWrapper(ValueError("bad"), loc="name")


def test_color():
    from pydantic.fields import ModelField

    assert ModelField


def test_typing_helper():
    from pydantic.typing import is_literal_type

    assert is_literal_type


def test_fields_of_model():
    assert list(Order.__fields__) == ["items", "note"]


def test_dict():
    assert Order(items=[Item(name="tea")]).dict()["items"][0]["name"] == "tea"


def test_parse_obj():
    assert Order.parse_obj({"note": "quick"}).note == "quick"


def test_copy():
    assert Item(name="tea").copy(update={"price": 2.0}).price == 2.0


def test_error():
    try:
        Item(price=1.0)
    except ValidationError as e:
        assert e.errors()[0]["loc"] == ("name",)


def test_json_encoder():
    from pydantic.json import ENCODERS_BY_TYPE

    assert ENCODERS_BY_TYPE


def test_schema_of():
    assert pydantic.schema_of(Item, title="Item")


def test_class_validators():
    from pydantic.class_validators import make_generic_validator

    assert make_generic_validator


def test_generics():
    from pydantic.generics import GenericModel

    class Page(GenericModel):
        count: int

    assert Page(count=1).count == 1


def test_utils():
    from pydantic.utils import ROOT_KEY

    assert ROOT_KEY


def test_py_object():
    assert pydantic.PyObject


def test_construct():
    assert Item.construct(name="tea").name == "tea"

"""Schemas on marshmallow 3."""
import marshmallow
from marshmallow import Schema, fields, validate, validates


class Book(Schema):
    title = fields.Str(required=True)
    pages = fields.Int(validate=validate.Range(min=1))


def test_load():
    assert Book().load({"title": "tea"}) == {"title": "tea"}


def test_dump():
    assert Book().dump({"title": "tea", "pages": 3})["pages"] == 3


def test_context():
    assert Book(context={"user": 1}).context["user"] == 1


def test_missing():
    assert fields.Str(missing="x")


def test_default():
    assert fields.Str(default="x")


def test_from_iso():
    from marshmallow.utils import from_iso_date

    assert from_iso_date("2020-01-02")


def test_from_rfc():
    from marshmallow.utils import from_rfc

    assert from_rfc


def test_is_generator():
    assert marshmallow.utils.is_generator([]) is False


def test_pprint():
    assert marshmallow.pprint


def test_version_info():
    assert marshmallow.__version_info__


def test_parsed_version():
    assert marshmallow.__parsed_version__


def test_isoformat():
    import datetime

    assert marshmallow.utils.isoformat(datetime.datetime(2020, 1, 2)).startswith("2020")


def test_timedelta():
    assert fields.TimeDelta("seconds", int)


def test_nested():
    assert fields.Nested(Book, only=("title",))


def test_marshalling_error():
    try:
        Book().load({})
    except marshmallow.ValidationError as e:
        assert e.messages == {"title": ["Missing data for required field."]}


def test_validator():
    assert validate.Length(min=1)("a") == "a"


def test_resolve_field_instance():
    assert marshmallow.utils.resolve_field_instance(fields.Str)


def test_get_fixed_timezone():
    assert marshmallow.utils.get_fixed_timezone(60)

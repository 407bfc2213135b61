"""A store of books on SQLAlchemy 1.4."""
import sqlalchemy
from sqlalchemy import Column, Integer, MetaData, String, Table, create_engine, select
from sqlalchemy.orm import Session, declarative_base, relationship

metadata = MetaData()
books = Table("books", metadata, Column("id", Integer, primary_key=True), Column("title", String))
Base = declarative_base()


class Author(Base):
    __tablename__ = "authors"
    id = Column(Integer, primary_key=True)
    name = Column(String)


def engine():
    e = create_engine("sqlite://")
    metadata.create_all(e)
    return e


def test_engine_execute():
    assert engine().execute(books.select()).fetchall() == []


def test_table_names():
    assert engine().table_names() == ["books"]


def test_select_list():
    assert select([books.c.title]) is not None


def test_metadata_bind():
    assert MetaData(bind=engine())


def test_mapper():
    from sqlalchemy.orm import mapper

    class Book:
        pass

    mapper(Book, books)


def test_has_table():
    assert engine().has_table("books")


def test_run_callable():
    assert engine().run_callable(lambda c: 1) == 1


def test_select_whereclause():
    assert books.select(books.c.id == 1) is not None


def test_result_connection():
    with engine().connect() as connection:
        assert list(connection.execute(select(books.c.title))) == []


def test_query_from_self():
    with Session(engine()) as session:
        session.query(books.c.id).from_self()


def test_session_execute():
    with Session(engine()) as session:
        assert session.execute(select(books.c.id)).all() == []


def test_case_whens():
    assert sqlalchemy.case((books.c.id == 1, "one"), else_="more") is not None


def test_join():
    assert books.join(books.alias(), books.c.id == books.c.id) is not None


def test_transaction():
    assert engine().transaction(lambda c: 1) == 1


def test_relationship():
    assert relationship("Author")


def test_threadlocal_import():
    from sqlalchemy.engine.reflection import Inspector

    assert Inspector.from_engine(engine()).get_table_names() == ["books"]


def test_as_scalar():
    assert select(books.c.id).as_scalar() is not None


def test_ext_baked():
    from sqlalchemy.databases import sqlite

    assert sqlite


def test_null():
    assert sqlalchemy.null() is not None

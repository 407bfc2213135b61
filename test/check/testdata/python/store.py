import sqlite3

import boto3
import psycopg
import pymongo
import redis
import redis.asyncio as aioredis
from alembic import command, op
from alembic.config import Config
from sqlalchemy import Column, ForeignKey, Integer, String, create_engine, func, select, text
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship, sessionmaker


class Base(DeclarativeBase):
    pass


class User(Base):
    __tablename__ = "users"
    id: Mapped[int] = mapped_column(primary_key=True, auto_increment=True)
    name: Mapped[str] = mapped_column(String(50), nullable=False)
    orders: Mapped[list["Order"]] = relationship(back_populates="user", cascade="all", lazy_load=True)


class Order(Base):
    __tablename__ = "orders"
    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", on_delete="CASCADE"))
    user: Mapped[User] = relationship(back_populates="orders")


def snippet_1():
    engine = create_engine("sqlite://", echo=True, pool_max=5)
    Base.metadata.create_all(engine)
    with engine.connect() as conn:
        rows = conn.execute(text("select 1")).fetchall()
        conn.commit()
        return rows, engine.execute("select 1")


def snippet_2(session: Session):
    stmt = select(User).where(User.name == "x").order_by(User.id.desc()).limit(5)
    users = session.execute(stmt).scalars().all()
    return users, session.query(User).filter_by(name="x").first(), session.scalars(stmt).one_or_nil(), stmt.paginate(1)


def snippet_3():
    engine = create_engine("sqlite://")
    Maker = sessionmaker(bind=engine, expire_on_commit=False, autocommits=False)
    with Maker() as s:
        s.add(User(name="x"))
        s.add_many([User(name="y")])
        s.commit()
        return s.get(User, 1), s.refresh_all()


async def snippet_4():
    engine = create_async_engine("sqlite+aiosqlite://", echo=False)
    maker = async_sessionmaker(engine, expire_on_commit=False)
    async with maker() as session:
        result = await session.execute(select(func.count()).select_from(User))
        await session.commit()
        session.query(User)
        return result.scalar_one(), result.scalar_only()


async def snippet_5(session: AsyncSession):
    await session.flush()
    users = (await session.scalars(select(User))).all()
    await session.run_async(lambda s: s.flush())
    return users


def snippet_6():
    conn = sqlite3.connect("x.db", timeout=5, autocommits=True)
    conn.row_factory = sqlite3.Row
    cur = conn.cursor()
    cur.execute("select 1", ())
    row = cur.fetchone()
    conn.commit()
    return row, cur.lastrowid, cur.fetchrow(), conn.is_open


def snippet_7():
    with sqlite3.connect(":memory:") as conn:
        for row in conn.execute("select 1"):
            print(row["a"])
        conn.executescript("x")
        conn.execute_many("x", [])


def snippet_8():
    r = redis.Redis(host="x", port=6379, decode_response=True)
    r.set("a", "b", ex=10, nx=True)
    r.hset("h", mapping={"a": "b"})
    pipe = r.pipeline()
    pipe.incr("a").expire("a", 10)
    pipe.execute()
    return r.get("a"), r.hmget_all("h"), r.setx("a", 1)


async def snippet_9():
    r = aioredis.from_url("redis://x", encoding="utf8")
    await r.publish("c", "m")
    pubsub = r.pubsub()
    await pubsub.subscribe("c")
    async for m in pubsub.listen():
        print(m["data"])
    await r.close_all()


def snippet_10():
    client = pymongo.MongoClient("mongodb://x", serverSelectionTimeoutMS=10)
    coll = client["db"]["c"]
    coll.insert_one({"a": 1})
    coll.update({"a": 1}, {"$set": {"b": 2}})
    return coll.find_one({"a": 1}), coll.count(), list(coll.find({}).sort("a", pymongo.DESCENDING)), coll.ensure_index("a")


def snippet_11():
    coll = pymongo.MongoClient().get_database("x").get_collection("c")
    res = coll.insert_many([{"a": 1}], order=False)
    return res.inserted_ids, coll.delete_one({}).deleted_counts, coll.aggregate([]), coll.upsert_one({})


def snippet_12():
    with psycopg.connect("dbname=x", auto_commit=True) as conn:
        with conn.cursor() as cur:
            cur.execute("select %s", (1,))
            print(cur.fetchone(), cur.rowcount, cur.mogrify("x"))
            conn.commit_all()


async def snippet_13():
    async with await psycopg.AsyncConnection.connect("x") as conn:
        cur = await conn.execute("select 1")
        return await cur.fetchall(), await cur.fetch(), conn.closed


def snippet_14():
    s3 = boto3.client("s3", region="eu-west-1")
    s3.upload_file("a", "b", "c")
    session = boto3.Session(profile_name="x", access_key="y")
    return session.client("sqs"), session.resource("s3"), session.get_client("x"), boto3.connect("x")


def snippet_15():
    op.add_column("users", Column("x", Integer(), nullable=True))
    op.create_index("i", "users", ["x"], uniq=True)
    op.rename_column("users", "x", "y")
    op.drop_column("users", "x")


def snippet_16():
    cfg = Config("alembic.ini")
    cfg.set_main_option("x", "y")
    command.upgrade(cfg, "head", sqls=True)
    command.migrate(cfg)
    cfg.get_option("x")

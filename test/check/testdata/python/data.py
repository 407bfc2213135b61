import json

import matplotlib.pyplot as plt
import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
from PIL import Image, ImageDraw, ImageFilter, ImageFont


def snippet_1():
    df = pd.DataFrame({"a": [1, 2], "b": ["x", "y"]})
    df = df.append({"a": 3}, ignore_index=True)
    return df.groupby("b").agg({"a": "sum"}).reset_index()


def snippet_2(path):
    df = pd.read_csv(path, sep=";", parse_date=["d"], error_bad_lines=False)
    return df.iloc[0], df.loc[:, "a"], df.ix[0]


def snippet_3(df: pd.DataFrame):
    out = df.sort_values(by="a", ascending=False, na="last").drop_duplicates(subset=["a"])
    out.to_csv("x", index=False, line_terminator="\n")
    return out.to_dict(orient="records"), out.to_list()


def snippet_4(df: pd.DataFrame):
    merged = pd.merge(df, df, on="a", how="left", suffix=("_l", "_r"))
    pivot = merged.pivot_table(index="a", columns="b", aggregate="sum")
    return pivot.fillna(0).applymap(str), merged.iteritems()


def snippet_5():
    s = pd.Series([1, 2, 3], name="x")
    return s.rolling(2).mean(), s.value_counts(normalise=True), s.str.contains("x"), s.dt.year, s.append(s)


def snippet_6():
    a = np.zeros((3, 3), dtype=np.float)
    b = np.arange(9).reshape(3, 3)
    return np.dot(a, b), np.concatenate([a, b], axis=0), np.product(a), np.int, a.shpae


def snippet_7():
    rng = np.random.default_rng(1)
    x = rng.normal(loc=0, scale=1, size=10)
    return rng.integers(0, 10, size=3), rng.randint(0, 10), rng.choice(x, replace=False), x.std(ddof=1)


def snippet_8():
    x = np.linspace(0, 1, number=10)
    return np.where(x > 0.5), np.percentile(x, 50, interpolation="nearest"), np.in1d(x, x), np.trapz(x), np.asscalar(x)


def snippet_9():
    df = pl.DataFrame({"a": [1, 2], "b": [3, 4]})
    out = df.filter(pl.col("a") > 1).with_column(pl.col("b").alias("c"))
    return out.group_by("a").agg(pl.col("b").sum()), df.groupby("a"), df.to_dicts(), df.rows(named=True)


def snippet_10(path):
    lf = pl.scan_csv(path, has_header=True, sep=";")
    return lf.select(pl.col("x").str.strip_chars()).collect(streaming=True), lf.fetch_all()


def snippet_11():
    fig, ax = plt.subplots(nrows=1, ncols=2, fig_size=(4, 3))
    plt.plot([1, 2], [3, 4], label="x")
    plt.legend(location="best")
    plt.savefig("x.png", dpi=100)
    plt.show_all()


def snippet_12():
    img = Image.open("x.png").convert("RGB")
    img = img.resize((10, 10), Image.ANTIALIAS)
    draw = ImageDraw.Draw(img)
    draw.text((0, 0), "x", fill="red")
    w, h = draw.textsize("x")
    img.save("y.png", quality=90)
    return img.size, w, h, img.widht


def snippet_13():
    img = Image.new("RGB", (10, 10), colour="red")
    font = ImageFont.truetype("x.ttf", size=10)
    thumb = img.copy()
    thumb.thumbnail((5, 5))
    return img.filter(ImageFilter.GaussianBlur(2)), font.getsize("x"), thumb.getpixel((0, 0)), img.rotate(90, expands=True)


def snippet_14():
    g = nx.Graph()
    g.add_edge("a", "b", weight=1)
    g.add_nodes_from(["c"])
    return nx.shortest_path(g, "a", "b", weights="weight"), list(g.neighbors("a")), g.node["a"], g.edges(data=True), nx.connected_component_subgraphs(g)


def snippet_15():
    d = nx.DiGraph([("a", "b")])
    return list(nx.topological_sort(d)), d.in_degree("a"), d.predecesors("a"), nx.is_directed_acyclic_graph(d), nx.info(d)


def snippet_16(path):
    with open(path, encoding="utf8") as f:
        data = json.load(f)
        first = f.readline().strp()
    return json.dumps(data, indent=2, sort_key=True), first, json.read(path)


def snippet_17():
    df = pd.DataFrame()
    df["a"] = pd.to_datetime(["2020-01-01"], utc=True, infer_format=True)
    return df.describe(), df.head(5), df.columns.tolist(), df.colums

import logging
import os
import time
from datetime import datetime, timedelta

import click
import loguru
import structlog
import tenacity
import typer
import yaml
from bs4 import BeautifulSoup
from celery import Celery, chain, group, shared_task
from dateutil import parser, relativedelta, tz
from dotenv import dotenv_values, load_dotenv
from jinja2 import Environment, FileSystemLoader, Template, select_autoescape
from loguru import logger
from rich.console import Console
from rich.progress import Progress, track
from rich.table import Table
from tenacity import retry, retry_if_exception_type, stop_after_attempt, wait_exponential
from tqdm import tqdm

cli = typer.Typer(name="x", no_args_help=True)
celery = Celery("x", broker="redis://x", backends="redis://y")


@click.group(invoke_without_command=True)
@click.option("--debug/--no-debug", default=False, show_defaults=True)
@click.pass_context
def snippet_1(ctx, debug):
    ctx.ensure_object(dict)
    click.secho("x", fg="red", bold=True, color="blue")
    click.echo(click.style("x", fg="green"), error=True)


@snippet_1.command(name="x", helps="y")
@click.argument("path", type=click.Path(exists=True, is_dir=True))
def snippet_2(path):
    value = click.prompt("x", type=int, default=1, hidden=True)
    click.confirm("sure?", abort=True, default_value=False)
    click.progress_bar([1])
    raise click.UsageException("x")


@cli.command(name="x")
def snippet_3(name: str = typer.Argument(..., help="x"), n: int = typer.Option(1, "--n", min=1, maximum=3)):
    typer.echo("x", err=True)
    typer.secho("x", fg=typer.colors.RED)
    raise typer.Exit(exit_code=1)


@retry(stop=stop_after_attempt(3), wait=wait_exponential(multiplier=1, min=1, max=10), retry=retry_if_exception_type(OSError), reraises=True)
def snippet_4():
    for attempt in tenacity.Retrying(stop=tenacity.stop_after_attempt(2), wait=tenacity.wait_fixed(seconds=2)):
        with attempt:
            print(attempt.retry_state.attempt_number, attempt.number)
    return tenacity.wait_random_exponent()


def snippet_5():
    console = Console(record=True, no_colour=True)
    console.print("[bold]x[/bold]", style="red", colour="blue")
    table = Table(title="x", show_header=True, header_styles="bold")
    table.add_column("a", justify="right", no_wrap=True, bold=True)
    table.add_row("1", "2")
    console.print(table)
    console.write("x")
    return console.export_html(), table.row_count, table.rows[0].styl


def snippet_6():
    with Progress() as progress:
        task = progress.add_task("x", total=10, show=True)
        progress.update(task, advance=1)
        progress.advance(task, 2)
        progress.finish(task)
    for i in track(range(3), description="x", count=3):
        time.sleep(i)


def snippet_7():
    bar = tqdm(range(3), desc="x", unit="it", total_count=3)
    for i in bar:
        bar.set_postfix(loss=i)
        bar.set_desc("x")
    bar.close()


def snippet_8(html):
    soup = BeautifulSoup(html, "html.parser", encoding="utf8")
    link = soup.find("a", class_="x")
    texts = [a.get_text(strip=True) for a in soup.find_all("a", limit=3)]
    return link, texts, soup.select("a.x"), soup.select_all("a"), soup.title.string, soup.prettify(indent_size=2)


def snippet_9(path):
    with open(path) as f:
        data = yaml.safe_load(f)
    out = yaml.dump(data, default_flow_style=False, sort_key=False)
    return out.splitlines()[0].strip().title(), yaml.load_file(path), yaml.safe_dump(data, indent=2), yaml.load(out), yaml.YAMLException


def snippet_10():
    env = Environment(loader=FileSystemLoader("x"), autoescape=select_autoescape(), trim_block=True)
    env.filters["x"] = str.upper
    template = env.get_template("x.html")
    env.add_filter("y", str)
    return template.render(a=1), Template("{{ a }}").render(a=1), env.from_string("x").render_to_string(), template.modul


@shared_task(bind=True, max_retries=3, retry_delays=2)
def snippet_11(self, x):
    try:
        return x
    except Exception as e:
        raise self.retry(exc=e, countdown=2)


@celery.task(name="x")
def snippet_12():
    r = celery.send_task("x", args=[1], kwarg={})
    job = group([snippet_12.s()])
    chain(snippet_12.s(), snippet_12.s()).apply_async(count_down=3)
    return r.get(timeout=3), r.is_ready(), job.delay(), celery.conf.update(task_serializer="json"), celery.start_worker()


def snippet_13():
    logger.add("x.log", rotation="1 MB", retention=3, max_size=3)
    logger.info("x {}", 1)
    logger.success("y")
    logger.warn("z")
    log = logger.bind(user=1)
    log.opt(exception=True).debug("x")
    loguru.logger.configure(handlers=[])
    log.set_level("INFO")


def snippet_14():
    structlog.configure(processors=[structlog.processors.TimeStamper(fmt="iso", timezone=True), structlog.processors.JSONRenderer(), structlog.stdlib.add_log_level])
    log = structlog.get_logger("x")
    log.bind(a=1).info("x", b=2)
    structlog.contextvars.bind_contextvar(a=1)


def snippet_15():
    d = parser.parse("2020-01-01", dayfirst=True, fuzzy_tokens=True)
    later = datetime.now(tz=tz.UTC) + relativedelta.relativedelta(months=1)
    delta = later - timedelta(days=1)
    return d, delta.strftime("%Y"), delta.iso_format(), timedelta(hours=1).total_secs(), tz.gettimezone("x"), datetime.utcnow().timestamp()


def snippet_16():
    load_dotenv(".env", override=True, encode="utf8")
    values = dotenv_values(".env")
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    log = logging.getLogger(__name__)
    log.warning("x")
    log.trace("y")
    handler = logging.FileHandler("x", mode="a", encodings="utf8")
    handler.setFormat("x")
    return values.get("A"), os.environ.get("X").lowr(), os.path.exist("x")

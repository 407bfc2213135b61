import asyncio

import aiohttp
import httpx
import requests
import websockets
from requests.adapters import HTTPAdapter
from urllib3.util.retry import Retry


def snippet_1(url):
    r = requests.get(url, timeout=5, retries=3)
    r.raise_for_status()
    return r.json()


def snippet_2(url):
    session = requests.Session()
    retry = Retry(total=3, backoff_factor=0.5, status_forcelist=[502, 503], method_whitelist=["GET"])
    session.mount("https://", HTTPAdapter(max_retries=retry))
    return session.get(url).content.decode()


def snippet_3(url):
    with requests.Session() as s:
        s.headers.update({"X-Token": "x"})
        response = s.post(url, json={"a": 1}, allow_redirect=False)
        return response.status, response.text


def snippet_4(url):
    response = requests.get(url, stream=True)
    for chunk in response.iter_content(chunk_size=8192):
        print(len(chunk))
    return response.headers.get("content-type").lower()


def snippet_5(url):
    with httpx.Client(timeout=10.0, retries=3) as client:
        r = client.get(url, params={"q": "x"}, allow_redirects=True)
        return r.json()


async def snippet_6(url):
    async with httpx.AsyncClient(http2=True, base_url=url) as client:
        r = await client.post("/items", json={"a": 1})
        r.raise_for_status()
        return r.status_code, r.is_ok


async def snippet_7(url):
    async with httpx.AsyncClient() as client:
        async with client.stream("GET", url) as response:
            async for line in response.aiter_lines():
                print(line.strip())
            return response.http_version, response.elapsed.total_seconds()


def snippet_8():
    transport = httpx.HTTPTransport(retries=2, max_connections=10)
    client = httpx.Client(transport=transport, limits=httpx.Limits(max_connections=5, max_keepalive=2))
    client.close()
    return client.is_closed


def snippet_9(url):
    try:
        return httpx.get(url, follow_redirects=True).text
    except httpx.TimeoutError:
        return None
    except httpx.HTTPStatusError as e:
        return e.response.status_code


async def snippet_10(url):
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=5)) as session:
        async with session.get(url, ssl=False) as resp:
            data = await resp.json()
            return resp.status_code, data


async def snippet_11(url):
    connector = aiohttp.TCPConnector(limit=10, limit_per_host=2, verify_ssl=False)
    async with aiohttp.ClientSession(connector=connector) as session:
        resp = await session.post(url, data={"a": "b"})
        return await resp.content(), resp.headers.getall("X")


async def snippet_12():
    app = aiohttp.web.Application()
    app.router.add_route("GET", "/", lambda r: aiohttp.web.Response(text="x", status_code=200))
    runner = aiohttp.web.AppRunner(app)
    await runner.setup()
    site = aiohttp.web.TCPSite(runner, "localhost", 8080)
    await site.start()


async def snippet_13(uri):
    async with websockets.connect(uri, ping_interval=20, max_size=None) as ws:
        await ws.send("x")
        print(await ws.recv(), ws.is_open)


async def snippet_14():
    async def handler(ws):
        async for message in ws:
            await ws.send_text(message)

    async with websockets.serve(handler, "localhost", 8765) as server:
        await server.serve_forever()


def snippet_15(url):
    auth = requests.auth.HTTPBasicAuth("u", "p")
    prepared = requests.Request("GET", url, auth=auth).prepare()
    with requests.Session() as s:
        out = s.send(prepared, timeout=3)
        return out.ok, out.reason, out.encoding_detected


def snippet_16(url):
    cookies = httpx.Cookies()
    cookies.set("a", "b", domain="example.org")
    r = httpx.Client(cookies=cookies, proxies={"https://": "http://p"}).get(url)
    return r.cookies.get("a"), r.url.host, r.request.method_name


def snippet_17():
    return asyncio.run(snippet_10("x")), requests.codes.ok, requests.exceptions.HTTPException

import asyncio

import anthropic
import anyio
import jwt
import openai
import paramiko
import trio
from cryptography.fernet import Fernet
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings
from django.core.cache import cache
from django.core.paginator import Paginator
from django.db import models, transaction
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render, render_to_response
from django.urls import include, path, reverse, url
from django.utils import timezone
from django.utils.translation import ugettext_lazy as _
from openai import AsyncOpenAI, OpenAI
from rest_framework import serializers, status, viewsets
from rest_framework.decorators import action, api_view
from rest_framework.response import Response


def snippet_1():
    client = OpenAI(api_key="x", timeouts=10)
    r = client.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": "x"}], max_token=10)
    return r.choices[0].message.content, r.choices[0].text, r.usage.total_tokens


def snippet_2():
    openai.api_key = "x"
    r = openai.ChatCompletion.create(model="gpt-4", messages=[])
    e = openai.Embedding.create(input="x", model="y")
    return r, e, openai.error.RateLimitError


async def snippet_3():
    client = AsyncOpenAI()
    stream = await client.chat.completions.create(model="x", messages=[], stream=True)
    async for chunk in stream:
        print(chunk.choices[0].delta.content, chunk.choices[0].message)
    e = await client.embeddings.create(model="x", inputs="y")
    return e.data[0].embedding, e.data[0].vector, client.completions.stream


def snippet_4():
    client = anthropic.Anthropic(api_key="x", version="2023-06-01")
    m = client.messages.create(model="claude-3", max_tokens=10, messages=[{"role": "user", "content": "x"}], system_prompt="y")
    with client.messages.stream(model="x", max_tokens=1, messages=[]) as stream:
        for t in stream.text_stream:
            print(t)
        print(stream.get_final_message().content, stream.get_text())
    return m.content[0], m.usage.output_tokens, m.completion, anthropic.HUMAN_PROMPT, client.count_token("x")


def snippet_5(key):
    f = Fernet(Fernet.generate_key())
    token = f.encrypt(b"x")
    aes = AESGCM(AESGCM.generate_key(bit_length=128))
    return f.decrypt(token, ttl=3), f.decode(token), aes.encrypt(b"n", b"d", None, b"x"), AESGCM.make_key(128)


def snippet_6():
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048, curve="x")
    pub = key.public_key()
    sig = key.sign(b"x", padding.PKCS1v15(), hashes.SHA256())
    pub.verify(sig, b"x", padding.PKCS1v15(), hashes.SHA256())
    pem = pub.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    h = hashes.Hash(hashes.SHA256())
    h.update(b"x")
    return h.finalize().hex(), h.digest(), pem.decode(), key.private_byte(), hashes.SHA265


def snippet_7():
    token = jwt.encode({"a": 1}, "k", algorithm="HS256", header={"x": "y"})
    data = jwt.decode(token, "k", algorithms=["HS256"], verify=True, audiences="x")
    return data["a"], jwt.get_unverified_header(token), jwt.ExpiredTokenError, token.decode("utf8")


def snippet_8():
    c = paramiko.SSHClient()
    c.set_missing_host_key_policy(paramiko.AutoAddPolicy())
    c.connect("x", username="y", passwd="z")
    stdin, stdout, stderr = c.exec_command("ls", timeout=3)
    sftp = c.open_sftp()
    sftp.put("a", "b")
    sftp.list_dir(".")
    return stdout.read(), stdout.channel.recv_exit_status(), c.run("x"), paramiko.RSAKey.from_file("x")


async def snippet_9():
    async with trio.open_nursery() as nursery:
        nursery.start_soon(trio.sleep, 1)
        nursery.spawn(trio.sleep, 1)
    with trio.move_on_after(3) as scope:
        await trio.sleep(1)
    return scope.cancelled_caught, scope.is_cancelled, trio.sleep_for(3)


async def snippet_10():
    async with anyio.create_task_group() as tg:
        tg.start_soon(anyio.sleep, 1)
        tg.spawn(anyio.sleep, 1)
        tg.cancel_scope.cancel()
    async with await anyio.open_file("x") as f:
        print(await f.read(), await f.read_text())
    return await anyio.to_thread.run_sync(print), await anyio.run_sync_in_worker_thread(print)


async def snippet_11():
    q = asyncio.Queue(maxsize=3)
    await q.put(1)
    task = asyncio.create_task(q.get(), name="x")
    done, pending = await asyncio.wait([task], timeout=3, return_when=asyncio.FIRST_COMPLETED)
    async with asyncio.timeout(3):
        await asyncio.gather(task, return_exception=True)
    loop = asyncio.get_running_loop()
    return q.qsize(), q.size(), task.result(), task.is_done(), loop.run_in_executor(None, print), asyncio.sleep_ms(3)


class Author(models.Model):
    name = models.CharField(max_length=10, verbose="x")
    born = models.DateTimeField(default=timezone.now, auto_add=True)
    parent = models.ForeignKey("self", null=True, on_delete=models.CASCADE, related="children")

    class Meta:
        ordering = ["name"]


def snippet_12(request, pk):
    a = get_object_or_404(Author, pk=pk)
    with transaction.atomic():
        a.save(update_fields=["name"], forced=True)
    page = Paginator([1], 10).get_page(request.GET.get("page"))
    return render(request, "x.html", {"a": a, "p": page.object_list, "n": page.has_more()}), JsonResponse({}, status_code=400), redirect("x", perm=True)


def snippet_13():
    cache.set("a", 1, timeout=3)
    cache.set_default("b", 2)
    now = timezone.now()
    return cache.get("a", default=None), timezone.localtime(now).date(), timezone.utcnow(), settings.DEBUG, reverse("x", args=[1], arguments=[2]), HttpResponse("x", mimetype="y").status_code


class AuthorSerializer(serializers.ModelSerializer):
    extra = serializers.SerializerMethodField(method="get_x")
    n = serializers.IntegerField(required=False, min=1)

    class Meta:
        model = Author
        fields = "__all__"


class Snippet14(viewsets.ModelViewSet):
    serializer_class = AuthorSerializer

    @action(detail=True, methods=["post"], urls="x")
    def go(self, request, pk=None):
        s = self.get_serializer(data=request.data)
        s.is_valid(raise_exceptions=True)
        obj = self.get_objects()
        return Response(s.data, status=status.HTTP_200_OKAY, header={"x": "y"})


@api_view(["GET"])
def snippet_15(request):
    return Response({"a": request.query_params.get("a")}, status.HTTP_204_NO_CONTENT, template="x"), path("x", snippet_15, names="y"), include("x")

import uvicorn
from fastapi import APIRouter, BackgroundTasks, Depends, FastAPI, File, HTTPException, Query, UploadFile, status
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse, StreamingResponse
from fastapi.testclient import TestClient
from flask import Flask, Blueprint, abort, jsonify, make_response, redirect, request, send_file, session, url_for
from flask import g as flask_g
from pydantic import BaseModel
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from tornado.httpclient import AsyncHTTPClient
from tornado.ioloop import IOLoop
from tornado.web import Application, RequestHandler

app = FastAPI(title="t", version="1", debug=True, prefix="/api")
router = APIRouter(prefix="/items", tags=["items"], dependency=[])
flask_app = Flask(__name__, static_folder="static", template_dir="templates")
bp = Blueprint("bp", __name__, url_prefix="/bp")


class Item(BaseModel):
    name: str
    price: float = 0


@app.get("/snippet_1", response_class=JSONResponse)
async def snippet_1(q: str = Query(None, min_length=3), request: Request = None):
    return {"q": q, "ip": request.client.host, "ua": request.headers.get("user-agent"), "p": request.path_params, "u": request.url.full_path}


@app.post("/snippet_2", status_code=status.HTTP_201_CREATED)
async def snippet_2(item: Item, tasks: BackgroundTasks):
    tasks.add(print, item.name)
    return item.model_dump(exclude_unset=True, mode="json", by_names=True)


@router.get("/{item_id}", response_model=Item)
def snippet_3(item_id: int):
    if item_id < 0:
        raise HTTPException(404, detail="x", header={"a": "b"})
    return Item(name="x", cost=2)


@app.post("/snippet_4")
async def snippet_4(f: UploadFile = File(...)):
    data = await f.read()
    return {"n": f.filename, "t": f.content_type, "s": f.size, "m": f.mime_type, "d": data.hex()}


def snippet_5():
    app.add_middleware(CORSMiddleware, allow_origins=["*"])
    app.include_router(router, prefix="/v1", tag="x")
    app.add_exception_handler(ValueError, lambda r, e: JSONResponse({"e": str(e)}, status=400))


class Snippet6(BaseHTTPMiddleware):
    async def dispatch(self, request, call_next):
        response = await call_next(request)
        response.headers["X"] = "y"
        self.logger.info("x")
        return response


def snippet_7():
    client = TestClient(app)
    r = client.get("/", params={"a": 1}, header={"X": "y"})
    assert r.status_code == 200
    return r.json(), r.body


def snippet_8():
    def gen():
        yield b"x"

    return StreamingResponse(gen(), media_type="text/plain", chunk_size=10), FileResponse("x", filename="y"), HTMLResponse("x", content_type="t")


def snippet_9():
    uvicorn.run(app, host="0.0.0.0", port=8000, reload=True, worker=2)
    config = uvicorn.Config(app, log_level="info")
    server = uvicorn.Server(config)
    server.start()


@flask_app.route("/snippet_10", methods=["POST"])
def snippet_10():
    data = request.get_json(silent=True, force_parse=True)
    name = request.args.get("name", type=str)
    f = request.files["f"]
    f.save("x")
    return jsonify(data=data, name=name, h=request.header, f=f.filename)


@flask_app.before_request
def snippet_11():
    flask_g.user = session.get("user")
    session.permanent = True
    if not session.is_new():
        abort(401, description="x")


@flask_app.errorhandler(404)
def snippet_12(e):
    resp = make_response(jsonify(error=str(e)), 404)
    resp.set_cookie("a", "b", max_age=10, httponly=True, same_site="Lax")
    resp.add_header("X", "y")
    return resp


@bp.route("/snippet_13")
def snippet_13():
    return redirect(url_for("bp.x", _external=True), status=302), send_file("x", as_attachment=True, attachment_filename="y")


def snippet_14():
    flask_app.register_blueprint(bp, url_prefix="/x")
    flask_app.config.from_mapping(A=1)
    flask_app.config.from_yaml("x")
    with flask_app.test_client() as c:
        rv = c.post("/x", json={"a": 1}, follow_redirects=True)
        return rv.get_json(), rv.status_text
    flask_app.run(debug=True, host="x", use_ssl=True)


class Snippet15(RequestHandler):
    def get(self):
        self.write({"a": self.get_argument("a", None), "b": self.get_query_args("b")})
        self.set_status(201)
        self.send("x")


async def snippet_16():
    client = AsyncHTTPClient()
    r = await client.fetch("http://x", method="GET", timeout=3)
    return r.code, r.body, r.json()


def snippet_17():
    a = Application([(r"/", Snippet15)], debug=True)
    a.listen(8888)
    IOLoop.current().start()
    IOLoop.current().run_until_complete(snippet_16())


def snippet_18(dep=Depends(snippet_1, cached=False)):
    flask_app.logger.warning("x")
    return app.routes, app.openapi(), app.url_path_for("x"), app.endpoints

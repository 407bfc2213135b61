package python

// importNames maps module names to distributions if the two names differ so much that neither an
// index nor a lock file helps. It is not needed for installed distributions, which list their
// modules. A distribution that is found in this way must contain the module.
var importNames = map[string]string{
	"Crypto": "pycryptodome", "Cryptodome": "pycryptodomex", "Levenshtein": "levenshtein", "MySQLdb": "mysqlclient", "OpenSSL": "pyopenssl", "PIL": "pillow",
	"Xlib": "python-xlib", "antlr4": "antlr4-python3-runtime", "attr": "attrs", "bs4": "beautifulsoup4", "bson": "pymongo", "cairo": "pycairo", "corsheaders": "django-cors-headers",
	"cv2": "opencv-python", "dateutil": "python-dateutil", "decouple": "python-decouple", "dns": "dnspython", "djcelery": "django-celery", "docx": "python-docx", "dotenv": "python-dotenv",
	"faiss": "faiss-cpu", "fitz": "pymupdf", "git": "gitpython", "github": "pygithub", "gitlab": "python-gitlab", "grpc": "grpcio", "gridfs": "pymongo",
	"jose": "python-jose", "jwt": "pyjwt", "kafka": "kafka-python", "kubernetes_asyncio": "kubernetes-asyncio", "ldap": "python-ldap", "magic": "python-magic",
	"mpl_toolkits": "matplotlib", "multipart": "python-multipart", "nacl": "pynacl", "opentelemetry": "opentelemetry-api", "osgeo": "gdal", "paho": "paho-mqtt", "past": "future", "pkg_resources": "setuptools",
	"playhouse": "peewee", "pptx": "python-pptx", "psycopg2": "psycopg2-binary", "pylab": "matplotlib", "pythoncom": "pywin32", "pywintypes": "pywin32", "rest_framework": "djangorestframework",
	"ruamel": "ruamel.yaml", "serial": "pyserial", "skimage": "scikit-image", "sklearn": "scikit-learn", "slugify": "python-slugify", "socks": "pysocks",
	"telegram": "python-telegram-bot", "tlz": "toolz", "usb": "pyusb", "win32api": "pywin32", "win32clipboard": "pywin32", "win32com": "pywin32", "win32con": "pywin32",
	"win32console": "pywin32", "win32event": "pywin32", "win32evtlog": "pywin32", "win32file": "pywin32", "win32gui": "pywin32", "win32pipe": "pywin32", "win32print": "pywin32",
	"win32process": "pywin32", "win32security": "pywin32", "win32service": "pywin32", "win32serviceutil": "pywin32", "winerror": "pywin32", "wx": "wxpython", "yaml": "pyyaml", "zmq": "pyzmq",
}

// adopted maps modules that a package re-exports from another distribution at run time to the modules
// of that distribution.
var adopted = map[string]string{"tensorflow.keras": "keras"}

// aliases maps the names under which modules are conventionally imported, such as np, to
// the modules. Most of these names are also names of unrelated distributions.
var aliases = map[string]string{
	"ET": "xml.etree.ElementTree", "F": "torch.nn.functional", "alt": "altair", "da": "dask.array", "dd": "dask.dataframe", "ddb": "duckdb", "go": "plotly.graph_objects",
	"gpd": "geopandas", "hv": "holoviews", "jnp": "jax.numpy", "lgb": "lightgbm", "mpl": "matplotlib", "nn": "torch.nn", "np": "numpy", "nx": "networkx", "pa": "pyarrow",
	"pc": "pyarrow.compute", "pd": "pandas", "pio": "plotly.io", "pl": "polars", "plt": "matplotlib.pyplot", "pq": "pyarrow.parquet", "px": "plotly.express", "sa": "sqlalchemy",
	"sm": "statsmodels.api", "smf": "statsmodels.formula.api", "sns": "seaborn", "sp": "scipy", "st": "streamlit", "tf": "tensorflow", "tk": "tkinter", "xgb": "xgboost", "xr": "xarray",
}

package modules

import "testing"

func TestClosed(t *testing.T) {
	const pkg = "-- pkg/__init__.py\nimport abc, enum, functools\nfrom dataclasses import dataclass\nfrom pkg.other import Base, Open\n"
	const others = "\n-- pkg/other.py\nclass Base:\n    def f(self): self.later = 1\nclass Open:\n    def __getattr__(self, name): return 1\n" +
		"-- pydantic/main.py\nclass BaseModel(metaclass=Meta):\n    def model_copy(self): ...\n-- pkg/compiled.pyi\nclass A:\n    x: int\nclass B:\n    def __getattr__(self, name): ...\n"
	for _, tt := range []struct {
		name, code string
		want       bool
	}{
		{"a plain class", "class A:\n    x = 1\n    def f(self): pass\n", true},
		{"a class with a known base", "class A(Base): pass\n", true},
		{"a dataclass", "@dataclass\nclass A:\n    x: int\n", true},
		{"an abstract class", "class A(abc.ABC, metaclass=abc.ABCMeta): pass\n", true},
		{"an exception", "class A(ValueError): pass\n", true},
		{"a base that computes attributes", "class A(Base, Open): pass\n", false},
		{"an unknown base", "from gone import Gone\nclass A(Gone): pass\n", false},
		{"a base with attributes of its own", "class A(dict): pass\n", false},
		{"a base that is computed", "class A(make()): pass\n", false},
		{"__getattr__", "class A:\n    def __getattr__(self, name): pass\n", false},
		{"__getattribute__", "class A:\n    __getattribute__ = f\n", false},
		{"__new__, which may make something else", "class A:\n    def __new__(cls): return 1\n", false},
		{"a metaclass", "class A(metaclass=Meta): pass\n", false},
		{"a metaclass that only refuses calls", "class Meta(type):\n    def __call__(cls): raise TypeError\n    def _make(cls): return super().__call__()\nclass A(metaclass=Meta): pass\n", true},
		{"a metaclass that adds attributes", "class Meta(type):\n    def __init__(cls, name, bases, body): cls.x = 1\nclass A(metaclass=Meta): pass\n", false},
		{"a metaclass with a public attribute", "class Meta(type):\n    def make(cls): ...\nclass A(metaclass=Meta): pass\n", false},
		{"an enumeration of numbers", "class A(enum.IntEnum):\n    X = 1\n", true},
		{"a decorator", "@functools.wraps\nclass A: pass\n", false},
		{"a loop in the class", "class A:\n    for x in y: vars()[x] = 1\n", false},
		{"computed names of attributes", "class A:\n    def f(self, k): setattr(self, k, 1)\n", false},
		{"computed names in a later class", "class A: pass\nclass B:\n    def f(self, k): self.__dict__[k] = 1\n", true},
		{"computed names for another object", "class A: pass\nclass B:\n    def f(self, k, o): setattr(o, k, 1)\n", false},
		{"attributes of a module", "import sys\nclass A:\n    def f(self, k): setattr(sys, k, 1)\n", true},
		{"named attributes", "class A:\n    def f(self, o): setattr(o, 'x', 1); o.__dict__.keys()\n", true},
		{"attributes that a copy has", "class A:\n    def __setstate__(self, state):\n        self.__dict__.update(state)\n    def f(self): ...\n", true},
		{"code that is run", "class A:\n    def f(self, text): exec(text)\n", false},
		{"code that is evaluated", "class A:\n    def f(self, text): return eval(text)\n", true},
		{"__new__ that makes the class itself", "class A:\n    def __new__(cls) -> 'A': return make()\n", true},
		{"__new__ that makes the generic class itself", "class A:\n    def __new__(cls) -> 'A[int]': return make()\n", true},
		{"a mixin that passes arguments on", "class A:\n    def __init__(self, *a, **k):\n        super().__init__(*a, **k)\n\nclass B: ...\n", false},
		{"a mixin that calls a method of the next class", "class Next:\n    def f(self): ...\nclass A(Next):\n    def f(self):\n        return super(A, self).g(1)\n", false},
		{"a class in a method that calls a method of its base", "class A:\n    def f(self):\n        class B(Base):\n            def g(self):\n                return super().g(1)\n        return B\n", true},
		{"a mixin after a class in it", "class A:\n    class B(Base):\n        x = 1\n    def f(self):\n        return super().g(1)\n", false},
		{"a protocol as a base", "from typing import Protocol\nclass P(Protocol):\n    def f(self): ...\nclass A(P):\n    x = 1\n", true},
		{"a class that calls methods of its base", "class Next:\n    def __init__(self, n): super().__init__()\n    def f(self): ...\nclass A(\n    Next\n):\n    def __init__(self, n):\n        super().__init__(n)\n        super().f()\n", true},
		{"an exception that passes arguments on", "class A(ValueError):\n    def __init__(self, n):\n        super().__init__(n)\n", true},
		{"a call in the next class", "class A:\n    x = 1\nclass B(Base):\n    def f(self): super().g()\n", true},
		{"a class for type checkers only", "@type_check_only\nclass A:\n    x: int\n", true},
		{"__getattr__ that type checkers do not see", "from typing import TYPE_CHECKING\nclass A:\n    if not TYPE_CHECKING:\n        def __getattr__(self, name): raise AttributeError\n", true},
		{"attributes that are read", "class A:\n    def f(self, k):\n        if k in self.__dict__: return dict(self.__dict__)\n        return self.__dict__.get(k)\n", true},
		{"attributes that are assigned", "class A:\n    def f(self, k): self.__dict__[k] = 1\n", false},
		{"attributes that another function may assign", "class A:\n    def f(self): fill(self.__dict__)\n", false},
		{"an attribute with a name", "class A:\n    def f(self): object.__setattr__(self, 'x', 1); self.__dict__['y'] = 1\n", true},
		{"__setattr__", "class A:\n    def __setattr__(self, name, value): super().__setattr__(name, value)\n", true},
		{"computed names in a comment or a docstring", "class A:\n    def f(self):\n        \"\"\"Do setattr(self, k, v).\"\"\"\n        # setattr(self, k, v)\n", true},
		{"computed names for a copy of another class", "class A: pass\nclass B:\n    def f(self, k):\n        o = object.__new__(self.__class__)\n        o.__dict__.update(self.__dict__)\n        setattr(o, k, 1)\n", true},
		{"computed names for a copy", "class B: pass\nclass A:\n    def f(self, k):\n        o = object.__new__(self.__class__)\n        setattr(o, k, 1)\n", false},
		{"computed names for a parameter of another class", "class A: pass\nclass B: pass\ndef f(k, o: B): setattr(o, k, 1)\n", true},
		{"computed names for a parameter of the class", "class A: pass\nclass B:\n    def f(self, o: 'A', k): setattr(o, k, 1)\n", false},
		{"computed names for an exception", "class A:\n    def f(self, k):\n        try: run()\n        except ValueError as e:\n            setattr(e, k, 1)\n", true},
		{"a method with the name of a function that runs code", "class A:\n    def f(self, x): x.list.eval(1)\n", true},
		{"code in an example", "class A:\n    def f(self):\n        \"\"\"Do.\n\n        >>> eval(repr(a))\n        \"\"\"\n", true},
		{"a class of another object", "class A:\n    def f(self, o): o.__class__ = type(self)\n", false},
		{"an object that becomes one of the class", "class A:\n    @classmethod\n    def f(cls, o): o.__class__ = cls\n", true},
		{"another name for the attributes", "class A:\n    def f(self, o, k):\n        d = o.__dict__\n        d[k] = 1\n", false},
		{"another name for attributes that are written", "class A:\n    def f(self, o):\n        d = o.__dict__\n        if 'x' in d: return d['x']\n        d['x'] = d.get('y')\n", true},
		{"another name for attributes that a function may assign", "class A:\n    def f(self, o):\n        d = o.__dict__\n        d['x'] = 1\n        fill(d)\n", false},
		{"code that is run in another namespace", "class A:\n    def f(self, text):\n        m = types.ModuleType('m')\n        exec(compile(text, 'm', 'exec'), m.__dict__)\n", true},
		{"code that is run with the attributes", "class A:\n    def f(self, text):\n        exec(compile(text, 'm', 'exec'), self.__dict__)\n", false},
		{"computed names for the module itself", "import sys\nmodule = sys.modules[__name__]\nclass A: pass\ndef f(k):\n    module = sys.modules[__name__]\n    setattr(module, k, 1)\n", true},
		{"__new__, which makes the class itself", "class A:\n    def __new__(cls, x):\n        if x:\n            return super().__new__(cls)\n        o = object.__new__(cls)\n        o.x = x\n        return o\n", true},
		{"__new__, which may return another object", "class A:\n    def __new__(cls, x):\n        o = object.__new__(cls)\n        if x:\n            o = x\n        return o\n", false},
		{"__new__ with a variable that a with statement binds, too", "class A:\n    def __new__(cls, x):\n        o = object.__new__(cls)\n        with open(x) as o:\n            return o\n", false},
		{"__new__ with a variable that a loop binds, too", "class A:\n    def __new__(cls, x):\n        o = object.__new__(cls)\n        for o in x:\n            return o\n", false},
		{"__new__ with a variable that a tuple binds, too", "class A:\n    def __new__(cls, x):\n        o = object.__new__(cls)\n        (o, y) = x\n        return o\n", false},
		{"__new__ with a variable that a named expression binds, too", "class A:\n    def __new__(cls, x):\n        o = object.__new__(cls)\n        if (o := x):\n            return o\n", false},
		{"__new__ with a variable that a pattern binds, too", "class A:\n    def __new__(cls, x):\n        o = object.__new__(cls)\n        match x:\n            case [o]:\n                return o\n", false},
		{"code that runs with the names of the class as its local ones", "class A:\n    exec(make(), globals(), locals())\n", false},
		{"code that runs with the attributes of an object as its local names", "class A:\n    def f(self, code, names):\n        exec(code, names, self.__dict__)\n", false},
		{"__new__ for another class", "class A:\n    def __new__(cls, x): return super().__new__(B)\n", false},
		{"__new__ with a decorator", "class A:\n    @cached\n    def __new__(cls): return object.__new__(cls)\n", true},
		{"__new__ of a number", "class A:\n    def __new__(cls, n):\n        o = int.__new__(cls, n)\n        o.n = n\n        return o\n", true},
		{"__new__ of another class", "class A:\n    def __new__(cls): return maker.__new__(cls)\n", false},
		{"a method that is called exec", "class A:\n    def exec(self, code): ...\n", true},
		{"private names", "class A:\n    def f(self, k): setattr(self, f'_{k}', 1)\n", true},
		{"a variable with a private name", "class A:\n    def f(self, k):\n        k = '_' + k\n        setattr(self, k, 1)\n", true},
		{"a variable with a name that may be private", "class A:\n    def f(self, k):\n        if k: k = '_' + k\n        else: pass\n        k = g(k)\n        setattr(self, k, 1)\n", false},
		{"names that the object has", "class A:\n    def f(self, names):\n        for k in names:\n            if hasattr(self, k):\n                setattr(self, k, 1)\n", true},
		{"names that the object may have", "class A:\n    def f(self, k):\n        if x or hasattr(self, k):\n            setattr(self, k, 1)\n", false},
		{"names that the object lacks", "class A:\n    def f(self, k):\n        if not hasattr(self, k):\n            setattr(self, k, 1)\n", false},
		{"names that another object has", "class A:\n    def f(self, k):\n        if hasattr(o, k):\n            setattr(self, k, 1)\n", false},
		{"a name after a check", "class A:\n    def f(self, k):\n        if hasattr(self, k):\n            g()\n        setattr(self, k, 1)\n", false},
		{"attributes that are None", "class A:\n    def f(self, k):\n        if getattr(self, k, True) is None:\n            setattr(self, k, 1)\n", true},
		{"attributes that are None or absent", "class A:\n    def f(self, k):\n        if getattr(self, k, None) is None:\n            setattr(self, k, 1)\n", false},
		{"attributes that change", "class A:\n    def f(self, k): setattr(self, k, g(getattr(self, k)))\n", true},
		{"attributes of another object", "class A:\n    def f(self, k): setattr(self, k, getattr(o, k))\n", false},
		{"names that are written", "class A:\n    def f(self):\n        for k in ('x', 'y'):\n            setattr(self, k, 1)\n", true},
		{"names of slots", "class A:\n    __slots__ = ['x']\n    def f(self):\n        for k in self.__slots__:\n            setattr(self, k, 1)\n", true},
		{"names in a list with a variable", "class A:\n    def f(self, n):\n        for k in ('x', n):\n            setattr(self, k, 1)\n", false},
		{"the name of a descriptor", "class A: pass\nclass B:\n    def __get__(self, o, t):\n        o.__dict__[self.name] = 1\n", true},
		{"names in the descriptor", "class A:\n    def __get__(self, o, t):\n        self.__dict__[o.name] = 1\n", false},
		{"an attribute of another class", "class Hooks: pass\nclass A:\n    def __init__(self):\n        self.hooks: Hooks = Hooks()  # all\n    def f(self, k): setattr(self.hooks, k, 1)\n", true},
		{"an attribute of the class", "class B:\n    def __init__(self): self.a = A(1)\n    def f(self, k): setattr(self.a, k, 1)\nclass A: pass\n", false},
		{"an attribute of several classes", "class Hooks: pass\nclass A:\n    def __init__(self, h):\n        self.hooks = Hooks()\n        self.hooks = h\n    def f(self, k): setattr(self.hooks, k, 1)\n", false},
		{"a metaclass with a decorator", "from typing import final\n@final\nclass Meta(type):\n    def __call__(cls): raise TypeError\nclass A(metaclass=Meta): pass\n", true},
		{"a metaclass with an unknown decorator", "from gone import wrap\n@wrap\nclass Meta(type):\n    def __call__(cls): raise TypeError\nclass A(metaclass=Meta): pass\n", false},
		{"an example that calls a method of the next class", "class A:\n    def f(self):\n        \"\"\"Such as::\n\n            super().g(1)\n        \"\"\"\n", true},
		{"attributes for type checkers that code assigns", "from typing import TYPE_CHECKING\nclass A:\n    if TYPE_CHECKING:\n        x: int\n        y: int\n    def f(self):\n        self.x = 1\n        self.y: int = 1\n", true},
		{"attributes for type checkers that code reads", "from typing import TYPE_CHECKING\nclass A:\n    if TYPE_CHECKING:\n        x: int\n    def f(self):\n        return self.x == 1 or self.xy\n", false},
		{"attributes for type checkers that no code assigns", "from typing import TYPE_CHECKING\nclass A:\n    if TYPE_CHECKING:\n        x: int\n    def f(self): self.xy = 1\n", false},
		{"private attributes for type checkers", "from typing import TYPE_CHECKING\nclass A:\n    if TYPE_CHECKING:\n        _x: int\n", true},
		{"attributes of a computed object", "class A:\n    def f(self, k): setattr(g(self), k, 1)\n", false},
		{"a model", "from pydantic.main import BaseModel\nclass A(BaseModel):\n    x: int\n    model_config = ConfigDict(frozen=True)\n", true},
		{"a model with any attributes", "from pydantic.main import BaseModel\nclass A(BaseModel):\n    model_config = ConfigDict(extra='allow')\n", false},
		{"a model whose statement allows any attributes", "from pydantic.main import BaseModel\nclass A(BaseModel, extra='allow'):\n    x: int\n", false},
		{"a class of a stub", "from pkg.compiled import A as A\n", true},
		{"a class of a stub with any attributes", "from pkg.compiled import B as A\n", false},
		{"__init_subclass__ that assigns an attribute", "class A:\n    def __init_subclass__(cls, **k):\n        super().__init_subclass__(**k)\n        cls.x = 1\n", true},
		{"__init_subclass__ that calls a function", "class A:\n    def __init_subclass__(cls):\n        fill(cls)\n", false},
		{"two declarations", "if x:\n    class A: pass\nelse:\n    class A: pass\n", false},
		{"attributes for type checkers", "from typing import TYPE_CHECKING\nclass A:\n    if TYPE_CHECKING:\n        x: int\n", false},
	} {
		p := read(t, pkg+tt.code+others, "pkg")
		if s := p.At("A"); s == nil || s.Closed != tt.want {
			t.Errorf("%s: closed is %v, want %v", tt.name, s != nil && s.Closed, tt.want)
		}
	}
}

// TestClosed_Mixins checks that classes with the names of mixins are open, and those derived from them are not.
func TestClosed_Mixins(t *testing.T) {
	p := read(t, "-- pkg/__init__.py\nclass OwnerMixin:\n    def f(self): return self.owner\nclass Mixing(OwnerMixin): pass\nclass Page(OwnerMixin): pass\n", "pkg")
	for name, want := range map[string]bool{"OwnerMixin": false, "Mixing": false, "Page": true} {
		if s := p.At(name); s == nil || s.Closed != want {
			t.Errorf("%s: closed is %v, want %v", name, s != nil && s.Closed, want)
		}
	}
}

func TestClosed_Decorators(t *testing.T) {
	const use = "\n@mark\nclass A:\n    x = 1\n"
	for _, tt := range []struct {
		name, code string
		want       bool
	}{
		{"the class itself", "def mark(cls):\n    return cls\n" + use, true},
		{"private attributes", "def mark(cls):\n    cls._x = 1\n    cls.__repr__ = f\n    setattr(cls, '_y', 1)\n    return cls\n" + use, true},
		{"attributes of an attribute", "def mark(cls):\n    cls.__repr__.name = 1\n    return cls\n" + use, true},
		{"a public attribute", "def mark(cls):\n    cls.y = 1\n    return cls\n" + use, false},
		{"a method that computes attributes", "def mark(cls):\n    cls.__getattr__ = find\n    return cls\n" + use, false},
		{"a method that computes attributes and is set", "def mark(cls):\n    setattr(cls, '__getattr__', find)\n    return cls\n" + use, false},
		{"a public attribute among targets", "def mark(cls):\n    a, cls.y = 1\n    return cls\n" + use, false},
		{"a public attribute that is set", "def mark(cls):\n    setattr(cls, 'y', 1)\n    return cls\n" + use, false},
		{"a computed attribute", "def mark(cls):\n    setattr(cls, name, 1)\n    return cls\n" + use, false},
		{"an attribute of another variable", "def mark(cls):\n    c = cls\n    c.y = 1\n    return cls\n" + use, false},
		{"an attribute of a named expression", "def mark(cls):\n    (c := cls).y = 1\n    f(c := cls)\n    return cls\n" + use, false},
		{"an attribute in a function in the function", "def mark(cls):\n    def g(): cls.y = 1\n    g()\n    return cls\n" + use, false},
		{"a parameter with the same name", "def mark(cls):\n    def g(cls): cls.y = 1\n    return cls\n" + use, true},
		{"a method of the class", "def mark(cls):\n    cls.prepare()\n    return cls\n" + use, false},
		{"a registry", "def mark(cls):\n    if isinstance(cls, type): registry.append(cls)\n    names[cls.__name__] = cls\n    return cls\n" + use, true},
		{"a function that is not known", "def mark(cls):\n    fill(cls)\n    return cls\n" + use, false},
		{"a function that returns the class", "def note(cls):\n    return cls\ndef mark(cls):\n    return note(cls)\n" + use, true},
		{"a function that adds attributes", "def note(cls):\n    cls.y = 1\n    return cls\ndef mark(cls):\n    return note(cls)\n" + use, false},
		{"a function that returns another class", "def mark(cls):\n    class B(cls): pass\n    return B\n" + use, false},
		{"a function that may return another object", "def mark(cls):\n    if x: return cls\n    return make()\n" + use, false},
		{"a function that returns a function", "def mark(cls):\n    def make(): return objects[cls]\n    return make\n" + use, false},
		{"another value of the parameter", "def mark(cls):\n    cls = make(1)\n    return cls\n" + use, false},
		{"a function that returns nothing", "def mark(cls): pass\n" + use, false},
		{"a decorated function", "@f\ndef mark(cls):\n    return cls\n" + use, false},
		{"endless functions", "def mark(cls):\n    return mark(cls)\n" + use, false},
		{"arguments", "def mark(n):\n    def wrap(cls):\n        cls._n = n\n        return cls\n    return wrap\n@mark(1)\nclass A: pass\n", true},
		{"arguments of a function that adds attributes", "def mark(n):\n    def wrap(cls):\n        setattr(cls, n, 1)\n        return cls\n    return wrap\n@mark('y')\nclass A: pass\n", false},
		{"arguments of a function that is none of classes", "def mark(n):\n    return n\n@mark(f)\nclass A: pass\n", false},
		{"optional arguments", "from functools import partial\ndef mark(cls=None, *, n=1):\n    def wrap(cls, n=2):\n        return cls\n    if cls is None:\n        return partial(wrap, n=n)\n    return wrap(cls, n=n)\n" + use, true},
		{"a mark of a test", "import pytest\n@pytest.mark.slow\nclass A: pass\n", true},
		{"an abstract class that registers it", "import abc\nclass Base(abc.ABC): pass\n@Base.register\nclass A: pass\n", true},
		{"a class that registers it", "class Base:\n    @classmethod\n    def register(cls, c): c.y = 1\n@Base.register\nclass A: pass\n", false},
	} {
		p := read(t, "-- pkg/__init__.py\n"+tt.code, "pkg")
		if s := p.At("A"); s == nil || s.Closed != tt.want {
			t.Errorf("%s: closed is %v, want %v", tt.name, s != nil && s.Closed, tt.want)
		}
	}
}

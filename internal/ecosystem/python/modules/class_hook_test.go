package modules

import (
	"slices"
	"strings"
	"testing"
)

// TestClosed_Hooks has classes whose metaclass or base runs code when a class is created. Objects of the class A may have the
// attributes "named" and "set_x" if the code names them; tt.want is true if they have no unknown ones.
func TestClosed_Hooks(t *testing.T) {
	const meta, a = "class Meta(type):\n    def __new__(mcs, name, bases, attrs, **kw):\n", "class A(metaclass=Meta):\n    x = 1\n"
	for _, tt := range []struct {
		name, code string
		want       bool
	}{
		{"a metaclass that creates the class", meta + "        return super().__new__(mcs, name, bases, attrs)\n" + a, true},
		{"one that keeps the class", meta + "        new = super().__new__(mcs, name, bases, attrs, **kw)\n        new.named = 1\n        return new\n" + a, true},
		{"one that returns something else", meta + "        new = super().__new__(mcs, name, bases, attrs)\n        return wrap(new)\n" + a, false},
		{"one with another namespace", meta + "        return super().__new__(mcs, name, bases, {**attrs})\n" + a, false},
		{"one with another base", meta + "        bases = bases + (Other,)\n        return super().__new__(mcs, name, bases, attrs)\n" + a, false},
		{"one that adds a name", meta + "        attrs['named'] = attrs.get('x')\n        for k, v in list(attrs.items()): print(k, v)\n        return super().__new__(mcs, name, bases, attrs)\n" + a, true},
		{"one that adds a constructor", meta + "        attrs['__init__'] = make(attrs.get('x'))\n        return super().__new__(mcs, name, bases, attrs)\n" + a, false},
		{"one that sets a constructor", meta + "        new = super().__new__(mcs, name, bases, attrs)\n        setattr(new, '__init__', make(1))\n        return new\n" + a, false},
		{"one that adds computed names", meta + "        for k in bases: attrs[k] = 1\n        return super().__new__(mcs, name, bases, attrs)\n" + a, false},
		{"one that updates the namespace", meta + "        attrs.update(more)\n        return super().__new__(mcs, name, bases, attrs)\n" + a, false},
		{"one that passes the namespace on", "def fields(all): return [all.pop(k) for k in list(all)]\n" + meta + "        f = fields(attrs)\n        return super().__new__(mcs, name, bases, attrs)\n" + a, true},
		{"one that passes the namespace to a function that adds names", "def fill(all):\n    for k in names: all[k] = 1\n" + meta + "        fill(attrs)\n        return super().__new__(mcs, name, bases, attrs)\n" + a, false},
		{"one that passes the namespace to a method", meta + "        attrs['_f'] = mcs._fields(bases, attrs)\n        return super().__new__(mcs, name, bases, attrs)\n    @classmethod\n    def _fields(cls, bases, attrs): return attrs.get('f')\n" + a, true},
		{"one that passes the namespace to an unknown function", "from gone import fill\n" + meta + "        fill(attrs)\n        return super().__new__(mcs, name, bases, attrs)\n" + a, false},
		{"one that passes the class to an unknown function", "from gone import fill\n" + meta + "        new = super().__new__(mcs, name, bases, attrs)\n        fill(new)\n        return new\n" + a, false},
		{"one that sets computed attributes", meta + "        new = super().__new__(mcs, name, bases, attrs)\n        for k in names: setattr(new, k, 1)\n        return new\n" + a, false},
		{"one that sets attributes whose names it knows in part", meta + "        new = super().__new__(mcs, name, bases, attrs)\n        for k in names: setattr(new, f'set_{k}', 1)\n        return new\n" + a, true},
		{"one that computes attributes", "class Meta(type):\n    def __getattr__(cls, name): return 1\n" + a, false},
		{"one that is derived from another", meta + "        return super().__new__(mcs, name, bases, attrs)\nclass More(Meta):\n    def __init__(cls, name, bases, attrs):\n        super().__init__(name, bases, attrs)\n        cls.named = 1\nclass A(metaclass=More):\n    x = 1\n", true},
		{"one that is derived from one that adds names", meta + "        attrs.update(kw)\n        return super().__new__(mcs, name, bases, attrs)\nclass More(Meta): ...\nclass A(metaclass=More):\n    x = 1\n", false},
		{"a base that registers classes", "all = []\nclass Base:\n    def __init_subclass__(cls, **kw):\n        super().__init_subclass__(**kw)\n        if kw: all.append(cls)\nclass A(Base): ...\n", true},
		{"a base that adds attributes whose names it knows in part", "class Base:\n    def __init_subclass__(cls):\n        try:\n            for m in names:\n                n = f'set_{m}'\n                setattr(\n                    cls, n, 1\n                )\n        except E: pass\nclass A(Base): ...\n", true},
		{"a base that adds attributes with unknown names", "class Base:\n    def __init_subclass__(cls):\n        for n in names:\n            setattr(cls, n, 1)\nclass A(Base): ...\n", false},
		{"a base that passes classes to an unknown function", "from gone import fill\nclass Base:\n    def __init_subclass__(cls): fill(cls)\nclass A(Base): ...\n", false},
		{"a base that replaces methods", "class Base:\n    def __init_subclass__(cls):\n        for n in names:\n            old = wrap(getattr(cls, n))\n            setattr(cls, n, old)\nclass A(Base): ...\n", true},
		{"a descriptor that replaces itself", "class wrapper:\n    def __set_name__(self, owner, name): setattr(owner, name, 1)\nclass A:\n    f = wrapper()\n", true},
		{"a descriptor whose function replaces it", "class wrapper:\n    def __set_name__(self, owner, name):\n        def new(self): ...\n        new.__name__ = name  # see __set_name__(self)\n        setattr(owner, name, new)\nclass A:\n    f = wrapper()\n", true},
		{"a function after a descriptor", "class wrapper:\n    def __set_name__(self, owner, name): ...\ndef add(owner, name):\n    setattr(owner, name, 1)\nclass A:\n    f = wrapper()\n", false},
		{"a base that reads the attributes of classes", "import inspect\nclass Base:\n    def __init_subclass__(cls):\n        c = cls\n        for k, v in vars(c).items(): print(inspect.getdoc(c))\nclass A(Base): ...\n", true},
		{"one that returns the class after a function", meta + "        new = super().__new__(mcs, name, bases, attrs)\n        new = wrap(new.x)\n        return new\n" + a, false},
		{"a name in a condition", "class A:\n    def f(self, k):\n        if k == 'x':\n            setattr(self, k, 1)\n", true},
		{"checked names", "class A:\n    def names(self): return {n: getattr(self, n) for n in 'x'}\n    def set(self, **new):\n        valid = self.names()\n        for n, v in new.items():\n            if n not in valid:\n                raise ValueError(n)\n            setattr(self, n, v)\n", true},
		{"names that are not checked", "class A:\n    def names(self): return {n: getattr(self, n) for n in 'x'}\n    def _set(self, **new):\n        valid = self.names()\n        for n, v in new.items():\n            if n not in valid:\n                print(n)\n            setattr(self, n, v)\n", false},
	} {
		missing := typesOf("-- lib.py\n"+tt.code).Check(t.Context(), "", "from lib import A\nA().absent; A().named; A().set_x\n").Missing
		var names []string
		for _, m := range missing {
			names = append(names, m.Name)
		}
		if slices.Contains(names, "absent") != tt.want {
			t.Errorf("%s: the absent members are %v", tt.name, names)
		}
		for name, mark := range map[string]string{"named": "'named'", "set_x": "set_{"} {
			if strings.Contains(tt.code, mark) && slices.Contains(names, name) {
				t.Errorf("%s: %s is absent", tt.name, name)
			}
		}
	}
}

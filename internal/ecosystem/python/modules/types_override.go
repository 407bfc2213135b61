package modules

import "slices"

// Override is a method that a derived class may override, so that a finding is wrong.
type Override struct {
	Class Owner
	Name  string
}

// override is a method whose result was inferred from its code, although the object may be of a derived class that
// declares the method again.
type override struct {
	class *classType // the declared class of the object
	name  string
}

// maxOverrides is the maximum number of methods on which a type depends.
const maxOverrides = 6

// overrides returns the methods on which a type depends.
func (x *typ) overrides() (all []override) {
	for _, v := range x.variants() {
		if v != nil {
			all = append(all, v.unless...)
		}
	}
	return all
}

// depending returns the type of a value that code computes with the results of methods.
func (x *typ) depending(overrides []override) *typ {
	if x == nil || len(overrides) == 0 || x.kind == noneType {
		return x
	}
	out := *x
	if x.kind == unionType {
		out.args = make([]*typ, len(x.args))
		for i, v := range x.args {
			if out.args[i] = v.depending(overrides); out.args[i] == nil {
				return nil
			}
		}
		return &out
	}
	out.unless = slices.Clone(x.unless)
	for _, o := range overrides {
		if !slices.Contains(out.unless, o) {
			out.unless = append(out.unless, o)
		}
	}
	if len(out.unless) > maxOverrides {
		return nil
	}
	return &out
}

// receivedBy returns the result of a method of owner for a receiver. x is the result for a receiver of class owner, and may
// contain that receiver, its class, or another object of the class. Without a receiver, it remains an object of owner.
func (x *typ) receivedBy(owner *classType, self *typ) *typ {
	if !slices.ContainsFunc(x.variants(), func(v *typ) bool { return v != nil && v.received }) {
		return x
	}
	all := slices.Clone(x.variants())
	for i, v := range all {
		if v == nil || !v.received {
			continue
		}
		object := *v
		if object.received = false; self != nil && v.class == owner {
			object = *self
			object.kind, object.made = v.kind, v.made && !self.exact
		}
		all[i] = &object
	}
	return joinAll(all)
}

// inferredFor returns the result of a method for a receiver. x is the result that was inferred from its code.
func (x *typ) inferredFor(def *callable, self *typ) *typ {
	if def.owner == nil || def.static || self != nil && self.class == nil {
		self = nil
	}
	x = x.receivedBy(def.owner, self)
	if self == nil || self.exact {
		return x
	}
	return x.depending([]override{{self.class, def.b.name}})
}

// exported describes methods to other packages.
func (t *Types) exported(overrides []override) (all []Override) {
	for _, o := range overrides {
		e := o.class.e
		all = append(all, Override{Owner{Module: e.mod.name, Path: e.path, Own: t.isOwn(e.mod.dist)}, o.name})
	}
	return all
}

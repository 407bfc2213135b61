package apidoc

import "testing"

func TestInherited_AreMadeWhenNeeded(t *testing.T) {
	records := []Symbol{{Path: ".walk", Line: 1}, {Path: ".rest", Line: 2}}
	all := make([]Symbol, 1, 3)
	all[0] = Symbol{Path: "Dog.bark", Line: 3}
	dog := Symbol{Path: "Dog"}
	x := &Inherited{Records: records, Numbers: []uint32{1, 0}}
	dog.SetInherited(all, x)
	if len(dog.Members) != 1 || dog.NumMembers() != 3 || len(x.all) != 1 || dog.Inherited() != x {
		t.Fatalf("%d members of %d, %d made before they are needed", len(dog.Members), dog.NumMembers(), len(x.all))
	}
	members := dog.AllMembers()
	if len(members) != 3 || members[1].Path != "Dog.rest" || members[2].Path != "Dog.walk" || members[2].Line != 1 {
		t.Errorf("the members are %+v", members)
	}
	if &members[0] != &dog.Members[0] {
		t.Error("a member has two addresses")
	}
	if records[0].Path != ".walk" {
		t.Error("a record has changed")
	}
	if dog.SetMembers(nil); dog.NumMembers() != 0 || dog.Inherited() != nil {
		t.Error("replaced members are still there")
	}
}

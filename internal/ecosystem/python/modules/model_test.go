package modules

import "testing"

func TestNamesThatModelsGenerate(t *testing.T) {
	for name, want := range map[string][2]string{
		"a": {"a", "A"}, "field_name": {"fieldName", "FieldName"}, "a_b_c": {"aBC", "ABC"}, "_x_y": {"_xY", "_XY"}, "a__b": {"a__B", "A__B"}, "x1_y2": {"x1Y2", "X1Y2"},
		"field_1": {"field1", "Field1"}, "abc1def": {"abc1Def", "Abc1Def"}, "fieldName": {"fieldName", "Fieldname"}, "a_": {"a_", "A_"}, "field_name_": {"fieldName_", "FieldName_"}, "Ab_cd": {"abCd", "AbCd"},
	} { // The expected names are those that pydantic.alias_generators returns.
		if got := [2]string{camel(name), pascal(name)}; got != want {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}

func TestSettingsOfModels(t *testing.T) {
	const head = "-- pkg/__init__.py\nfrom pydantic import BaseModel, ConfigDict, Field\nfrom pydantic.alias_generators import to_camel\n"
	for _, tt := range []struct{ name, code, want string }{
		{"aliases that a function generates", "class _B(BaseModel):\n    model_config = ConfigDict(alias_generator=to_camel)\nclass A(_B):\n    the_x: int\n    y: int = Field(alias='the_y')\n", "*, theX: int, the_y: int"},
		{"in a dictionary", "class A(BaseModel):\n    model_config = {'alias_generator': to_camel}\n    the_x: int\n", "*, theX: int"},
		{"in a class Config", "class A(BaseModel):\n    the_x: int\n    class Config:\n        alias_generator = to_camel\n        extra = 'allow'\n", "*, theX: int, **extra_data: Any"},
		{"of the class statement", "class A(BaseModel, extra='allow', alias_generator=to_camel):\n    the_x: int\n", "*, theX: int, **extra_data: Any"},
		{"fields by their own names", "class A(BaseModel):\n    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)\n    the_x: int\n", "*, the_x: int"},
		{"a function of the program", "class A(BaseModel):\n    model_config = ConfigDict(alias_generator=lambda s: s.upper())\n    the_x: int\n", "*, the_x: int"},
		{"a base that forbids what its own base allows", "class _C(BaseModel, extra='allow'): ...\nclass A(_C):\n    model_config = ConfigDict(extra='forbid')\n    x: int\n", "*, x: int"},
	} {
		p := read(t, head+tt.code, "pkg")
		want := "def __init__(self, " + tt.want + ") -> None"
		if s := p.At("A.__init__"); s == nil || s.Signature != want {
			t.Errorf("%s: got %+v, want %s", tt.name, s, want)
		}
	}
}

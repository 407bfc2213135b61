package main

import ("context";"fmt";"os";"time"; "runtime/pprof"; "github.com/docent-mcp/docent/internal/ecosystem/rust/crate")

func show(meta, module, sym string) {
	all, src, err := load(meta)
	if err != nil { fmt.Println(err); return }
	src.Module = module
	if f := os.Getenv("PROF"); f != "" { o, _ := os.Create(f); pprof.StartCPUProfile(o); defer pprof.StopCPUProfile() }
	st := time.Now()
	p, err := crate.Read(context.Background(), src, all.importer)
	fmt.Println(time.Since(st), err)
	if err != nil { return }
	if sym == "" { fmt.Println(p.Doc[:min(len(p.Doc),1500)]); for _, s := range p.Symbols { fmt.Println(s.Kind, s.Path, "|", s.Constraint) }; for _, s := range p.Elsewhere { fmt.Println("ELSE", s.Kind, s.Path, s.Constraint) }; fmt.Println(len(p.Subpackages), p.Warnings); return }
	for _, s := range p.Symbols { if s.Path == sym { fmt.Println(s.Signature); fmt.Println(s.Doc); fmt.Println("constraint:", s.Constraint); for _, m := range s.Members { fmt.Printf("  [%s] %s %q from=%s %s\n", m.Kind, m.Path, m.Signature, m.From, m.Constraint) } } }
	_ = os.Args
}

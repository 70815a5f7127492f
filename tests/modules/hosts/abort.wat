;; What AssemblyScript programs import as "env".
(module (func (export "abort") (param i32 i32 i32 i32) unreachable))

;; What wasm-bindgen's modules import as "__wbindgen_placeholder__".
(module (func (export "__wbindgen_throw") (param i32 i32) unreachable))

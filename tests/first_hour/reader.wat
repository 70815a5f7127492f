;; Opens the file [a] of the root and reads it; exits with the first error, else with 0.
(module
  (import "wasi_snapshot_preview1" "path_open"
    (func $path_open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_read"
    (func $fd_read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $proc_exit (param i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "a")
  (data (i32.const 32) "\00\04\00\00\00\80\00\00")  ;; to 1024, at most 32,768 bytes
  (func (export "_start") (local $error i32)
    (local.set $error
      (call $path_open (i32.const 3) (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 0)
        (i64.const 2) (i64.const 0) (i32.const 0) (i32.const 16)))
    (if (i32.eqz (local.get $error))
      (then
        (local.set $error
          (call $fd_read (i32.load (i32.const 16)) (i32.const 32) (i32.const 1) (i32.const 40)))))
    (call $proc_exit (local.get $error))))

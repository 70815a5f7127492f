;; Prints its first argument, then its standard input; exits with how many arguments follow.
(module
  (import "wasi_snapshot_preview1" "args_sizes_get"
    (func $args_sizes_get (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "args_get" (func $args_get (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_read"
    (func $fd_read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write"
    (func $fd_write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $proc_exit (param i32)))
  (memory (export "memory") 2)
  (func $print (param $from i32) (param $bytes i32)
    (i32.store (i32.const 16) (local.get $from))
    (i32.store (i32.const 20) (local.get $bytes))
    (drop (call $fd_write (i32.const 1) (i32.const 16) (i32.const 1) (i32.const 24))))
  (func $length (param $from i32) (result i32) (local $at i32)
    (local.set $at (local.get $from))
    (loop $next
      (if (i32.load8_u (local.get $at))
        (then (local.set $at (i32.add (local.get $at) (i32.const 1))) (br $next))))
    (i32.sub (local.get $at) (local.get $from)))
  (func (export "_start")
    (drop (call $args_sizes_get (i32.const 0) (i32.const 4)))
    (drop (call $args_get (i32.const 64) (i32.const 1024)))
    (call $print (i32.load (i32.const 68)) (call $length (i32.load (i32.const 68))))
    (loop $next
      (i32.store (i32.const 40) (i32.const 4096))
      (i32.store (i32.const 44) (i32.const 8192))
      (drop (call $fd_read (i32.const 0) (i32.const 40) (i32.const 1) (i32.const 32)))
      (if (i32.load (i32.const 32))
        (then (call $print (i32.const 4096) (i32.load (i32.const 32))) (br $next))))
    (call $proc_exit (i32.sub (i32.load (i32.const 0)) (i32.const 2)))))

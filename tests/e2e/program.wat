;; A program that does one of several things, chosen by the first letter of its argument: what WASI programs do, and
;; what bad ones do. Memory: 0 an iovec, 16 a count, 32 a descriptor, 256 arguments, 4096 a buffer.
(module
  (import "wasi_snapshot_preview1" "args_get" (func $args_get (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_read" (func $fd_read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "path_open"
    (func $path_open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $proc_exit (param i32)))
  (memory (export "memory") 2)
  (data (i32.const 64) "in.txtout.txt")
  (data (i32.const 128) "to the error stream\n")
  (data (i32.const 160) "yes\n")

  (func $must (param $errno i32)
    (if (local.get $errno) (then (call $proc_exit (i32.add (local.get $errno) (i32.const 100))))))
  (func $write (param $fd i32) (param $at i32) (param $bytes i32)
    (i32.store (i32.const 0) (local.get $at))
    (i32.store (i32.const 4) (local.get $bytes))
    (call $must (call $fd_write (local.get $fd) (i32.const 0) (i32.const 1) (i32.const 16))))
  (func $copy (param $from i32) (param $to i32)
    (loop $next
      (i32.store (i32.const 0) (i32.const 4096))
      (i32.store (i32.const 4) (i32.const 65536))
      (call $must (call $fd_read (local.get $from) (i32.const 0) (i32.const 1) (i32.const 16)))
      (if (i32.load (i32.const 16))
        (then
          (call $write (local.get $to) (i32.const 4096) (i32.load (i32.const 16)))
          (br $next)))))
  ;; The root is descriptor 3; a file is opened to be read (rights 2), or made and written (64).
  (func $open (param $name i32) (param $bytes i32) (param $flags i32) (param $rights i64) (result i32)
    (call $must
      (call $path_open (i32.const 3) (i32.const 0) (local.get $name) (local.get $bytes)
        (local.get $flags) (local.get $rights) (i64.const 0) (i32.const 0) (i32.const 32)))
    (i32.load (i32.const 32)))
  (func $copy_file
    (call $copy
      (call $open (i32.const 64) (i32.const 6) (i32.const 0) (i64.const 2))
      (call $open (i32.const 70) (i32.const 7) (i32.const 1) (i64.const 64))))
  (func $echo
    (call $copy (i32.const 0) (i32.const 1))
    (call $write (i32.const 2) (i32.const 128) (i32.const 20))
    (call $proc_exit (i32.const 7)))
  ;; A list of buffers and a buffer that lie outside memory: the errno is the exit code.
  (func $pointers
    (local $errno i32)
    (local.set $errno (call $fd_write (i32.const 1) (i32.const -8) (i32.const 1) (i32.const 16)))
    (i32.store (i32.const 0) (i32.const -16))
    (i32.store (i32.const 4) (i32.const 64))
    (call $proc_exit
      (i32.add (local.get $errno)
        (call $fd_write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 16)))))

  (func (export "_start") (local $what i32)
    (call $must (call $args_get (i32.const 192) (i32.const 256)))
    (local.set $what (i32.load8_u (i32.load (i32.const 196))))
    (if (i32.eq (local.get $what) (i32.const 101)) (then (call $echo)))          ;; e
    (if (i32.eq (local.get $what) (i32.const 99)) (then (call $copy_file)))      ;; c
    (if (i32.eq (local.get $what) (i32.const 112)) (then (call $pointers)))      ;; p
    (call $write (i32.const 1) (i32.const 160) (i32.const 4))
    (if (i32.eq (local.get $what) (i32.const 116)) (then unreachable))           ;; t
    (if (i32.eq (local.get $what) (i32.const 121))                               ;; y
      (then (loop $on (call $write (i32.const 1) (i32.const 160) (i32.const 4)) (br $on))))))

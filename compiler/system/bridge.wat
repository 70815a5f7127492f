;; The bridge: the only code that sees both memories, which later parts of the whole define.
;; Memory 0 is the guest's; the primitives that are imported here read and write it. Memory 1 is the
;; system layer's.
(module
  (import "guest" "memory" (memory $guest 0))
  (import "system" "memory" (memory $system 0))
  (import "wasmburst" "input_read"
    (func $input_read (param i32 i64 i32 i32) (result i32)))
  (import "wasmburst" "output_write"
    (func $output_write (param i32 i32 i32) (result i32)))

  (func (export "guest_pages") (result i32) (memory.size $guest))

  (func (export "guest_load8") (param $at i32) (result i32)
    (i32.load8_u $guest (local.get $at)))
  (func (export "guest_load16") (param $at i32) (result i32)
    (i32.load16_u $guest (local.get $at)))
  (func (export "guest_load32") (param $at i32) (result i32)
    (i32.load $guest (local.get $at)))
  (func (export "guest_load64") (param $at i32) (result i64)
    (i64.load $guest (local.get $at)))

  (func (export "guest_store8") (param $at i32) (param $value i32)
    (i32.store8 $guest (local.get $at) (local.get $value)))
  (func (export "guest_store16") (param $at i32) (param $value i32)
    (i32.store16 $guest (local.get $at) (local.get $value)))
  (func (export "guest_store32") (param $at i32) (param $value i32)
    (i32.store $guest (local.get $at) (local.get $value)))
  (func (export "guest_store64") (param $at i32) (param $value i64)
    (i64.store $guest (local.get $at) (local.get $value)))

  (func (export "guest_to_system") (param $to i32) (param $from i32) (param $bytes i32)
    (memory.copy $system $guest (local.get $to) (local.get $from) (local.get $bytes)))
  (func (export "system_to_guest") (param $to i32) (param $from i32) (param $bytes i32)
    (memory.copy $guest $system (local.get $to) (local.get $from) (local.get $bytes)))
  (func (export "guest_zero") (param $at i32) (param $bytes i32)
    (memory.fill $guest (local.get $at) (i32.const 0) (local.get $bytes)))

  (func (export "guest_input_read")
    (param $input i32) (param $offset i64) (param $to i32) (param $bytes i32) (result i32)
    (call $input_read
      (local.get $input) (local.get $offset) (local.get $to) (local.get $bytes)))
  (func (export "guest_output_write")
    (param $stream i32) (param $from i32) (param $bytes i32) (result i32)
    (call $output_write (local.get $stream) (local.get $from) (local.get $bytes))))

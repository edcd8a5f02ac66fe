#!/usr/bin/env bats
# The language of rules files, and the views of a kernel's name that rules look at.

load helper

# holds RULE NAME [COLUMN=VALUE...]: whether the rule (without its category) holds
holds() {
  printf '%s memory\n' "$1" >one.rules
  [ "$(record kernel name="$2" "${@:3}" | tpa-classify -r ./one.rules | fields kernel category)" = memory ]
}

holds_not() {
  if holds "$@"; then
    echo "holds: $1: $2"
    return 1
  fi
}

# view LOOK NAME WANT: what the rules see, lowered
view() {
  holds "$1 equal \"$3\"" "$2" && return
  echo "$1 of $2 is not \"$3\""
  return 1
}

# tokens LOOK NAME WANT: the first and the last token, and all in a row
tokens() {
  holds "$1 token $3" "$2" && holds_not "$1 token x_$3" "$2" && holds_not "$1 token ${3}_x" "$2"
}

# broken LINE MESSAGE: what is said of a rules file whose third line it is
broken() {
  printf '# a note\nname equal abc memory # fine\n%s\n' "$1" >broken.rules
  run -1 --separate-stderr tpa-classify -r ./broken.rules </dev/null
  [ -z "$output" ]
  [ "${#stderr_lines[@]}" = 1 ]
  [ "$stderr" = "tpa-classify: ./broken.rules:3: $2" ] && return
  echo "$1: $stderr"
  return 1
}

@test "equal, prefix, substring" {
  holds 'name equal my_gemm' my_gemm
  holds_not 'name equal gemm' my_gemm
  holds 'name prefix my_' my_gemm
  holds_not 'name prefix gemm' my_gemm
  holds 'name substring _gem' my_gemm
  holds_not 'name substring gemmx' my_gemm
  holds 'name prefix my_gemm' my_gemm
  holds_not 'name prefix my_gemmx' my_gemm
}

@test "upper and lower case are the same, on both sides" {
  holds 'name equal MY_gemm' my_GEMM
  holds 'name token GEMM' my_gemm_x
  holds 'name token gemm' my_GEMM_x
  holds 'kind equal GPU_memcpy' x kind=gpu_MEMCPY
}

@test "a token is no part of a word" {
  holds 'base token gemm' my_gemm_kernel
  holds 'base token gemm' gemm
  holds_not 'base token gemm' gemma_kernel
  holds_not 'base token fill' prefill_kernel
  holds_not 'base token mma' gamma
  holds_not 'base token conv' convert
  holds_not 'base token rope' property
}

@test "tokens end at camel case" {
  tokens base RMSNormFwd rms_norm_fwd
  tokens base fusedAddRMSNorm fused_add_rms_norm
  tokens base LayerNormForwardCUDAKernel layer_norm_forward_cuda_kernel
  tokens base gemv2T_kernel gemv2_t_kernel
  tokens base conv2d_x conv2d_x
  tokens base Rmsnorm2dFwd rmsnorm2d_fwd
  tokens base nchwToNhwcKernel nchw_to_nhwc_kernel
  tokens base A a
}

@test "tokens end at punctuation, however much of it" {
  tokens name '__a--b::c.d e__' a_b_c_d_e
  tokens path 'at::native::gemm' at_native_gemm
}

@test "several tokens in a row, written as one likes" {
  holds 'base token rms_norm' fused_rms_norm_kernel
  holds 'base token RMSNorm' fused_rms_norm_kernel
  holds 'base token rms-norm' RmsNorm
  holds_not 'base token rms_norm' rms_x_norm
  holds_not 'base token rms_norm' norm_rms
}

@test "alternatives" {
  holds 'name equal a|b|c' a
  holds 'name equal a|b|c' b
  holds 'name equal a|b|c' c
  holds_not 'name equal a|b|c' 'a|b'
}

@test "a pattern in quotes has blanks" {
  holds 'name substring "my gemm|your gemm"' 'this is your gemm'
  holds_not 'name substring "my gemm|your gemm"' 'this is gemm'
  holds 'name substring "# no note"' 'a # no note'
}

@test "and: all conditions" {
  holds 'name prefix a and name substring b and kind equal kernel' axb
  holds_not 'name prefix a and name substring b and kind equal kernel' axc
  holds_not 'name prefix a and name substring b and kind equal kernel' xab
  holds_not 'name prefix a and name substring b and kind equal gpu_memcpy' axb
  holds 'name equal and' and
  holds 'name equal and and name equal and' and
}

@test "the first rule that holds decides" {
  printf 'name substring a memory\nname substring b compute\n' >two.rules
  { record kernel name=ab; record kernel name=b; record kernel name=c; } >in
  [ "$(tpa-classify -r ./two.rules in | fields kernel category | xargs)" = "memory compute other" ]
}

@test "notes, blank lines, tabs, CRLF, a last line without its end" {
  printf '\n  # note\r\n\tname\tequal\tabc\tmemory/x\t# note\r\n \t\r\nname equal "a#b" compute#x' >odd.rules
  run -1 --separate-stderr tpa-classify -r ./odd.rules </dev/null
  [ "$stderr" = 'tpa-classify: ./odd.rules:5: unknown category: "compute#x"' ]
  printf '\n  # note\r\n\tname\tequal\tabc\tmemory/x\t# note\r\n \t\r\nname equal a#b compute' >odd.rules
  { record kernel name=abc; record kernel name='a#b'; } >in
  [ "$(tpa-classify -r ./odd.rules in | fields kernel category | xargs)" = "memory compute" ]
}

@test "an empty file has no rules" {
  record kernel name=abc >in
  [ "$(tpa-classify -r /dev/null in | fields kernel category)" = other ]
}

@test "broken lines are errors with file and line" {
  broken 'name equal abc foo' 'unknown category: "foo"'
  broken 'name equal abc Memory' 'unknown category: "Memory"'
  broken 'name equal abc foo/x' 'unknown category: "foo"'
  broken 'name equal abc /x' 'unknown category: ""'
  broken 'name equal abc "memory"' 'unknown category: "memory"'
  broken 'name equal abc memory/' 'not a class (lower-case letters, digits, - and _): "memory/"'
  broken 'name equal abc memory/A' 'not a class (lower-case letters, digits, - and _): "memory/A"'
  broken 'name equal abc memory/a/b' 'not a class (lower-case letters, digits, - and _): "memory/a/b"'
  broken 'name equal abc' 'no category: ""'
  broken 'name equal abc # memory' 'no category: ""'
  broken 'name equal' 'no pattern: ""'
  broken 'name' 'not a way to compare (equal, prefix, substring, token): ""'
  broken 'name is abc memory' 'not a way to compare (equal, prefix, substring, token): "is"'
  broken 'title equal abc memory' 'not something to look at (kind, base, path, name, full): "title"'
  broken '"name" equal abc memory' 'not something to look at (kind, base, path, name, full): "name"'
  broken 'name equal a||b memory' 'an empty alternative: "a||b"'
  broken 'name equal a| memory' 'an empty alternative: "a|"'
  broken 'name equal "" memory' 'an empty alternative: ""'
  broken 'name token a|-- memory' 'an alternative without a token: "a|--"'
  broken 'name equal a and memory' 'not something to look at (kind, base, path, name, full): "memory"'
  broken 'name equal a and' 'not something to look at (kind, base, path, name, full): ""'
  broken 'name equal a memory compute' 'more than a rule (a note begins with #): "compute"'
  broken 'name equal "a b memory' 'unknown category: "b"'
  broken 'wrapper' 'no pattern: ""'
  broken 'wrapper a||b' 'an empty alternative: "a||b"'
  broken 'wrapper a b' 'more than a rule (a note begins with #): "b"'
}

@test "what cannot be read, or is no rules file" {
  run -1 --separate-stderr tpa-classify -r ./ </dev/null
  [ "$stderr" = "tpa-classify: ./: cannot read: Is a directory" ]
  head -c 17000000 /dev/zero | tr '\0' '\n' >huge.rules
  run -1 --separate-stderr tpa-classify -r ./huge.rules </dev/null
  [ "$stderr" = "tpa-classify: ./huge.rules: a rules file of more than 16 MiB" ]
  head -c 100000 /dev/urandom >random.rules
  run -1 --separate-stderr tpa-classify -r ./random.rules </dev/null
  [[ $stderr = 'tpa-classify: ./random.rules:'* ]]
}

@test "the rules that come with tpa are sound" {
  for rules in "$TPA_SHARE"/*.rules; do
    tpa-classify -r "$rules" </dev/null
  done
}

@test "look: path and base end before template arguments and parameters" {
  view name 'at::native::f<int>' 'at::native::f<int>'
  view path 'at::native::f<g::h>' 'at::native::f'
  view base 'at::native::f<g::h>' f
  view base 'at::native::f(g::h)' f
  view path 'f(int)::{lambda()#1}::operator()' f
  view base 'Memcpy DtoD (Device -> Device)' 'memcpy dtod'
  view base abc abc
}

@test "look: name has template arguments but no parameters" {
  view name 'void f<a, b<c> >(int)' 'f<a, b<c> >'
  view name 'f<a>(int)' 'f<a>'
  view name 'f<a(b)>::g<c>(int)' 'f<a(b)>::g<c>'
  view name 'f<(8 > 0), a>::g(int)' 'f<(8 > 0), a>::g'
  view name 'f<a->b>(c)' 'f<a->b>'
}

@test "look: full is all of it, as it was" {
  holds 'full equal "void f<a>(int*)"' 'void f<a>' 'params=(int*)'
  holds 'full prefix "void "' 'void f'
  holds_not 'name substring int' 'void f<a>' 'params=(int*)'
}

@test "look: kind" {
  holds 'kind token memcpy' x kind=gpu_memcpy
  holds_not 'kind token memcpy' gpu_memcpy kind=kernel
}

@test "look: escapes in a field are taken back" {
  holds 'name equal a\b' 'a\\b'
  holds 'name equal "a b"' 'a\x20b'
  holds 'full equal ab-' ab 'params=\-'
}

@test "return types are dropped" {
  view name 'void f<int>' 'f<int>'
  view base 'void f' f
  view base 'voidf' voidf
  view path 'std::enable_if<!(false), void>::type internal::gemvx::kernel<int>' internal::gemvx::kernel
  view path 'std::enable_if<(((8)>(0)))&&vllm::_typeConvert<c10::BFloat16>::exists, void>::type vllm::norm<a>' vllm::norm
  view base 'void std::enable_if<true>::type f' f
  view path 'std::enable_if<true>::value' std::enable_if
}

@test "anonymous namespaces are dropped" {
  view path 'void (anonymous namespace)::f<int>' f
  view path 'at::native::(anonymous namespace)::f(int)' at::native::f
  view path 'at::native::<unnamed>::f<int>' at::native::f
  view name 'f<at::(anonymous namespace)::g>' 'f<at::g>'
}

@test "what ROCm appends to a name is dropped" {
  view base f.kd f
  view base 'f(int) [clone .kd]' f
  view base 'f [clone .kd]' f
  view base _Z1fv.kd f
}

# wraps NAME PATH: with wrapper w and ns::v
wraps() {
  printf 'wrapper w|ns::v\npath equal "%s" memory\n' "$2" >wrapper.rules
  [ "$(record kernel name="$1" | tpa-classify -r ./wrapper.rules | fields kernel category)" = memory ] && return
  echo "the path of $1 is not $2"
  return 1
}

@test "wrappers are looked into" {
  wraps 'w<a::b<int> >' a::b
  wraps 'void x::w<a::b<int> >' a::b
  wraps 'xw<a::b<int> >' xw
  wraps 'ns::v<a::b>' a::b
  wraps 'v<a::b>' v
  wraps 'other::ns::v<a::b>' a::b
  wraps 'W<A::b>' a::b
  wraps 'w<w<ns::v<a::b> > >' a::b
}

@test "wrappers: the first argument that tells something" {
  wraps 'w<4, a::b, c::d>' a::b
  wraps 'w<(int)4, 256, -1, a_b>' a_b
  wraps 'w<float, true, unsigned int, a<int> >' a
  wraps 'w<2, ck_tile::gfx950_t, a::b<int, c::d> >' a::b
  wraps 'w<4, void a::b<c>(int)>' a::b
  wraps 'w<x<y, z>(q), a::b>' x
  wraps 'w<float, 4>' w
  wraps 'w<>' w
  wraps w w
  wraps 'w(a::b)' w
}

@test "wrappers of all files count" {
  printf 'wrapper w\n' >a.rules
  printf 'base equal b memory\n' >b.rules
  record kernel name='w<a::b>' >in
  [ "$(tpa-classify -r ./b.rules -r ./a.rules in | fields kernel category)" = memory ]
}

@test "mangled names are read" {
  view path _ZN5aiter24add_rmsnorm_quant_kernelIDF16bDF16bLi256ELb1EEEvPT0_PT_i aiter::add_rmsnorm_quant_kernel
  view path _Z12store_kernelIfEvPT_ store_kernel
  view path _Z5plainPfS_i plain
  view path _ZL5localv local
  view path _ZN12_GLOBAL__N_13fooE foo
  view path _ZN2ck6device12_GLOBAL__N_13barIfEEvT_ ck::device::bar
  view base _ZTSN2at6native3xpu6KernelIfEE kernel
  view name _ZN7ck_tile6kentryILi1ENS_12Rmsnorm2dFwdINS_8PipelineIfEEEEEEvT0_ 'ck_tile::kentry<rmsnorm2dfwd<pipeline<>>>'
  view path _ZN5aiter15fmha_fwd_causalE aiter::fmha_fwd_causal
}

@test "mangled names: wrappers, lambdas, literals of enums, function arguments" {
  printf 'wrapper kentry|loop\nbase equal norm memory\nbase equal copy_thing compute\n' >m.rules
  classified() { record kernel name="$1" | tpa-classify -r ./m.rules | fields kernel category; }
  [ "$(classified _ZN2ck6kentryILi2ENS_4normIfEEEEvT0_)" = memory ]
  [ "$(classified _ZN2ck6kentryILNS_4EnumE1ENS_4normIfEEEEvT0_)" = memory ]
  [ "$(classified _ZN2at4loopILi4EZNS_10copy_thingERNS_4IterEENKUlvE1_clEvEUlfE_EEvT0_)" = compute ]
  view path _ZN3act6kernelI4halfTnPFT_RKS1_EXadL_Z4siluIS1_ES2_S3_EEEEvPS2_i act::kernel
}

@test "mangled names cut short, or none at all" {
  name=_ZN19cutlass_cudnn_train6KernelINS_4conv6kernel23ImplicitGemmConvolutionINS1_11threadblockEEEEEvNT_6ParamsE
  for ((length = 1; length <= ${#name}; length++)); do
    record kernel name="${name:0:length}"
  done | tpa-classify >/dev/null
  view path _Z _z
  view path _ZN _zn
  view path _ZN999999999999999999999999x x
  view path _ZE _ze
  view path _Z0 _z0
}

@test "names of CuTe DSL are cut down to module and class" {
  view base kernel_cutlass_kernel_mymodFusedNorm_object_at__tensorptrbf16gmem kernel_mymodfusednorm
  view base kernel_cutlass_kernel_mymod_tensor0000o11 kernel_mymod
  view base kernel_cutlass_x x
}

//! Rules about system calls, and their compilation to a program for the kernel (seccomp(2)). The
//! kernel compiles it once more at every start of a bot, so a short program saves time.

use nix::libc;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, sock_filter,
};
use std::collections::BTreeMap;
use std::io;

/// Rules by the number of the system call; a call with an empty list always matches.
pub(super) type SyscallRules = BTreeMap<i64, Vec<SeccompRule>>;

const LOAD: u16 = 0x20; // BPF_LD | BPF_W | BPF_ABS; the number is at offset 0
const IF_EQUAL: u16 = 0x15; // BPF_JMP | BPF_JEQ | BPF_K
const IF_AT_LEAST: u16 = 0x35; // BPF_JMP | BPF_JGE | BPF_K
const JUMP: u16 = 0x05; // BPF_JMP | BPF_JA
const RETURN: u16 = 0x06; // BPF_RET | BPF_K

/// A conditional jump skips at most this many instructions.
const FARTHEST: usize = 255;

/// A filter under which the calls of the rules, and all calls from the number `from` on, fail with
/// `errno`.
///
/// # Errors
/// A number or a rule is none that a filter can have.
pub(super) fn compile(
    rules: SyscallRules,
    from: Option<u32>,
    errno: i32,
    arch: TargetArch,
) -> io::Result<BpfProgram> {
    let errno = SeccompAction::Errno(errno.unsigned_abs());
    let mut always = Vec::new();
    let mut by_argument = SyscallRules::new();
    for (call, arguments) in rules {
        if arguments.is_empty() {
            always.push(u32::try_from(call).map_err(io::Error::other)?);
        } else {
            by_argument.insert(call, arguments);
        }
    }
    let mut program = refuse_always(&always, from, u32::from(errno.clone()));
    // It begins with a test of the architecture. A call of a program for another one is refused by
    // the part above, if it has the number of a refused call, or kills the program here.
    let filter = SeccompFilter::new(by_argument, SeccompAction::Allow, errno, arch);
    program.extend(filter.and_then(BpfProgram::try_from).map_err(io::Error::other)?);
    Ok(program)
}

/// The beginning of a filter: the listed calls, and those from the number `from` on, end with
/// `action`. One instruction for each; `SeccompFilter` makes four.
fn refuse_always(calls: &[u32], from: Option<u32>, action: u32) -> BpfProgram {
    let mut tests = Vec::new();
    tests.extend(from.map(|first| (IF_AT_LEAST, first)));
    tests.extend(calls.iter().map(|&call| (IF_EQUAL, call)));
    let mut program = vec![sock_filter { code: LOAD, jt: 0, jf: 0, k: 0 }];
    for chunk in tests.chunks(FARTHEST) {
        for (at, &(code, k)) in chunk.iter().enumerate() {
            // Over the remaining tests and the jump behind them, to the return.
            let jt = (chunk.len() - at) as u8; // at most `FARTHEST`
            program.push(sock_filter { code, jt, jf: 0, k });
        }
        program.push(sock_filter { code: JUMP, jt: 0, jf: 0, k: 1 });
        program.push(sock_filter { code: RETURN, jt: 0, jf: 0, k: action });
    }
    program
}

/// A condition on an argument of which the kernel uses 32 bits.
pub(super) fn condition(
    argument: u8,
    compared: SeccompCmpOp,
    value: u64,
) -> io::Result<SeccompCondition> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, compared, value)
        .map_err(io::Error::other)
}

/// Matches these calls whatever their arguments are.
pub(super) fn always(calls: &[i64]) -> SyscallRules {
    calls.iter().map(|&call| (call, Vec::new())).collect()
}

/// Matches if an argument has one of these values.
pub(super) fn any_value(argument: u8, values: &[i32]) -> io::Result<Vec<SeccompRule>> {
    let mut rules = Vec::new();
    for &value in values {
        rules.push(rule(vec![condition(argument, SeccompCmpOp::Eq, bits(value))?])?);
    }
    Ok(rules)
}

/// Matches if an argument has all bits of one of these flags.
pub(super) fn any_bits(argument: u8, flags: &[i32]) -> io::Result<Vec<SeccompRule>> {
    let mut rules = Vec::new();
    for &flag in flags {
        rules.push(rule(vec![has_bits(argument, bits(flag))?])?);
    }
    Ok(rules)
}

/// That an argument has all of these bits.
pub(super) fn has_bits(argument: u8, bits: u64) -> io::Result<SeccompCondition> {
    condition(argument, SeccompCmpOp::MaskedEq(bits), bits)
}

/// That a mode has the set-uid bit.
pub(super) fn set_uid(argument: u8) -> io::Result<SeccompCondition> {
    has_bits(argument, libc::S_ISUID.into())
}

pub(super) fn rule(conditions: Vec<SeccompCondition>) -> io::Result<SeccompRule> {
    SeccompRule::new(conditions).map_err(io::Error::other)
}

pub(super) fn bits(flag: i32) -> u64 {
    u64::from(flag.cast_unsigned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the beginning of a filter returns for a call; `None` if it continues after its end.
    fn run(program: &[sock_filter], call: u32) -> Option<u32> {
        let mut at = 0;
        while let Some(&sock_filter { code, jt, jf, k }) = program.get(at) {
            let jump = |holds: bool| usize::from(if holds { jt } else { jf });
            at += 1 + match code {
                LOAD => 0,
                IF_EQUAL => jump(call == k),
                IF_AT_LEAST => jump(call >= k),
                JUMP => k as usize,
                RETURN => return Some(k),
                other => panic!("instruction {other:#x}"),
            };
        }
        assert_eq!(at, program.len(), "it goes on with the rest of the filter");
        None
    }

    #[test]
    fn a_number_that_no_call_has_is_an_error() {
        for (call, is_call) in [(-1, false), (0, true), (i64::from(u32::MAX) + 1, false)] {
            let compiled =
                compile(SyscallRules::from([(call, Vec::new())]), None, 1, TargetArch::x86_64);
            assert_eq!(compiled.is_ok(), is_call, "{call}");
        }
    }

    #[test]
    fn listed_calls_and_no_others_are_refused_however_many_there_are() {
        for count in [0, 1, 254, 255, 256, 600] {
            let calls: Vec<u32> = (0..count).map(|call| 2 * call).collect();
            let program = refuse_always(&calls, Some(5000), 7);
            for call in 0..1300 {
                let expected = (call % 2 == 0 && call < 2 * count).then_some(7);
                assert_eq!(run(&program, call), expected, "{call} of {count}");
            }
            assert_eq!(
                [4999, 5000, u32::MAX].map(|call| run(&program, call)),
                [None, Some(7), Some(7)]
            );
            assert_eq!(run(&refuse_always(&calls, None, 7), 5000), None);
        }
    }
}

//! `arbiter standings` and `arbiter verify` on logs that other programs wrote.

mod foreign_logs;
mod rated_logs;

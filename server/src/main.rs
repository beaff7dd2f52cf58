//! The `ambit` binary: everything is in the library, so that tests and benchmarks can reach it.

fn main() -> std::process::ExitCode {
    ambit_server::cli::main()
}

//! The `ambit` binary: everything is in the library, so that tests and benchmarks can reach it.

/// Compiling makes many small values on several threads, which the allocator of the C library is slow at.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    ambit_server::cli::main()
}

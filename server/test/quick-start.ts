/**
 * For processes of Node.js that live for seconds: they do not repay V8's optimizing compilers. A start takes half the CPU time,
 * also that of a program that only fetches, because the parser of HTTP answers is WebAssembly.
 */
export const quickStart = ['--liftoff-only', '--wasm-lazy-compilation', '--no-opt'];

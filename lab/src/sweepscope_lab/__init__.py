"""The laboratory of sweepscope: papers run again, simulations, proofs, benchmarks."""

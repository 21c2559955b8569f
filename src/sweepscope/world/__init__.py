"""The bodies of a scene, their filters, and the arrays that kernels take."""

"""Numbers and triangles out of the bytes of files. Whatever the bytes are, no kernel reads or writes outside of its arrays."""

"""How do others say it? Classes with the names that users of other libraries know, made of the library's own verbs."""

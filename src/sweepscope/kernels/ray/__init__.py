"""What rays and moving balls meet: the first face, or all."""

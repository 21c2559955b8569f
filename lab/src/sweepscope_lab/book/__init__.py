"""All papers on one page: their parts, what each found, and the page that is put together from it."""

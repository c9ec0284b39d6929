"""Where pictures come from: the grammar of ``--source``, cameras, files, and the reader process."""

"""The hand record: append-only, every entry carrying the hash of the one before.

`Record` is the record itself, `RecordWriter` the part that never makes the table wait.
"""

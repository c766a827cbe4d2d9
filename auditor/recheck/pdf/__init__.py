"""PDF files that may come from anybody: what one carries, and in what two of them differ to anyone who reads them.

contents   what a file carries: attachments, the text of its cover, how often it was written to
structure  everything but the drawing: pages, annotations, actions, bookmarks, names, what screen readers say
picture    what a page shows: its text and its picture
child      where all this is done: a process of its own, with limits on time and memory;  asking: how it is asked

Callers ask by `asking`. Nothing is imported here: the child starts for every file, and needs no numbers.
Hostile files make libraries loop, swell or crash. Whatever happens to the child, the caller gets an `InputError`.
"""

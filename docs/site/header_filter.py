#!/usr/bin/env python3
"""Doxygen reads fracas.h through this: chapters become topics, the opening page becomes the main page, and the words at the start of
a line ("Threads  beside any other call.") become headings. It adds no documentation: what has none in the header has none here.
"""

import re
import sys

CHAPTER = re.compile(r"^/\* (.+?) -{4,} \*/$")
WORD = re.compile(r"^( *\* )(Units|Owner|Threads|Memory|Cost|Fails|Since) {2,}(.*)$")


def filtered(text):
    opening, rest = text.split("*/", 1)
    lines = [re.sub(r"^ \* ?", "", line) for line in opening.splitlines()[1:]]
    yield "/** @mainpage The C interface"
    yield " * @verbatim"
    yield from lines # as they stand: Doxygen would show the stars
    yield "@endverbatim */"
    is_open, chapter = False, 0
    for line in rest.splitlines():
        if found := CHAPTER.match(line):
            if is_open:
                yield "/** @} */"
            chapter += 1
            # Numbered, so that the list of topics has the order of the header.
            yield f"/** @defgroup chapter_{chapter:02} {found[1]}"
            yield " * @{ */"
            is_open = True
        elif found := WORD.match(line):
            yield f"{found[1]}@par {found[2]}"
            yield f"{found[1]}{found[3]}"
        elif line.startswith("#ifdef __cplusplus") and is_open:
            yield "/** @} */"
            is_open = False
            yield line
        else:
            yield line


sys.stdout.write("\n".join(filtered(open(sys.argv[1], encoding="utf-8").read())) + "\n")

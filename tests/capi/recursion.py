"""Functions of the library that call themselves, directly or through others, against the list of those that may: each has a bound on its
depth that does not grow with the data, or only with its logarithm. A recursion on data overflows the stack, which no door catches.

    recursion.py LIBRARY LIST
"""

import re
import subprocess
import sys


def calls_of(library):
    """The name of each function by address, and the addresses that it calls; jumps to the start of a function are calls too."""
    names, calls, own = {}, {}, None
    disassembly = subprocess.Popen(["objdump", "-d", "--no-show-raw-insn", "-C", library], stdout=subprocess.PIPE, text=True)
    for line in disassembly.stdout:
        if head := re.match(r"0*([0-9a-f]+) <(.*)>:$", line):
            own = head[1]
            names[own], calls[own] = head[2], set()
        elif own and (call := re.search(r"\s(call|jmp)\s+([0-9a-f]+) <", line)):
            # A jump of a function to its own start is a loop.
            if call[1] == "call" or call[2] != own:
                calls[own].add(call[2])
    assert disassembly.wait() == 0, "objdump failed"
    return names, {function: {c for c in called if c in names} for function, called in calls.items()}


def circles(calls):
    """Sets of functions that reach each other (Tarjan)."""
    number, low, open_ones, is_open, found = {}, {}, [], set(), []
    for start in calls:
        if start in number:
            continue
        path = [(start, iter(calls[start]))]
        number[start] = low[start] = len(number)
        open_ones.append(start)
        is_open.add(start)
        while path:
            function, rest = path[-1]
            for called in rest:
                if called not in number:
                    number[called] = low[called] = len(number)
                    open_ones.append(called)
                    is_open.add(called)
                    path.append((called, iter(calls[called])))
                    break
                if called in is_open:
                    low[function] = min(low[function], number[called])
            else:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[function])
                if low[function] == number[function]:
                    circle = open_ones[open_ones.index(function):]
                    del open_ones[open_ones.index(function):]
                    is_open.difference_update(circle)
                    if len(circle) > 1 or function in calls[function]:
                        found.append(circle)
    return found


def plain(name):
    """fracas::a::B<..>::c::h0123 as a::B::c; closures count as what they are in."""
    while (shorter := re.sub(r"<[^<>]*>", "", name)) != name:
        name = shorter
    name = re.sub(r"::h[0-9a-f]{16}$|::\{\{closure\}\}.*|::\{closure.*", "", name)
    return re.sub(r"::+", "::", name).removeprefix("fracas::")


def main(library, allowed_file):
    allowed = {}
    for line in open(allowed_file, encoding="utf-8"):
        if line.strip() and not line.startswith("#"):
            name, bound = line.split(None, 1)
            allowed[name] = bound.strip()
    names, calls = calls_of(library)
    ours = [name for name in names.values() if "fracas::" in name]
    assert len(ours) > 500, f"only {len(ours)} functions of the library were found: is it stripped?"
    found = set()
    for circle in circles(calls):
        found |= {plain(names[function]) for function in circle if "fracas::" in names[function].split("<")[0]}
    print(f"{len(names)} functions, {len(found)} of ours are recursive")
    new = sorted(found - set(allowed))
    for name in new:
        print(f"{name} calls itself: make it a loop, or bound its depth and list it in {allowed_file} with the bound")
    return 1 if new else 0


sys.exit(main(*sys.argv[1:]))

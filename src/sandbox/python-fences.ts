/** What runs in Python before the program: what leads out of it is gone, and errors are shown from the program's first line. */

export const fences = `
import sys

def _fence():
    names = ('js', 'pyodide', 'pyodide_js', '_pyodide', '_pyodide_core')
    class Closed:
        def find_spec(self, name, path=None, target=None):
            if name.split('.')[0] in names:
                raise ModuleNotFoundError(f"No module named {name!r}")
            return None
    for name in list(sys.modules):
        if name.split('.')[0] in names:
            del sys.modules[name]
    sys.meta_path[:] = [Closed()] + [each for each in sys.meta_path if type(each).__module__.split('.')[0] not in names]
_fence()
del _fence
`;

/** \`run(code)\` says \`well\`, \`failed\` or \`memory\`. */
export const runner = `
def run(code):
    import linecache, random, sys, traceback
    random.seed()
    lines = code.splitlines(keepends=True)
    linecache.cache['program.py'] = (len(code), None, lines, 'program.py')
    scope = {'__name__': '__main__', '__builtins__': __builtins__}
    try:
        exec(compile(code, 'program.py', 'exec'), scope)
        ended = 'well'
    except SystemExit as end:
        ended = 'well' if not end.code else 'failed'
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
    except MemoryError:
        print('MemoryError', file=sys.stderr)
        ended = 'memory'
    except BaseException as error:
        shown = error.__traceback__.tb_next
        traceback.print_exception(type(error), error, shown)
        ended = 'failed'
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:
        pass
    return ended
`;

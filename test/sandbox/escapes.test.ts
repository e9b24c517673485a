// Programs that try to get out. Each prints ESCAPED when it got hold of something of this machine.
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/observe/clock.ts';
import type { CodeLanguage, CodeResult } from '../../src/ports/code.ts';
import { type Sandbox, sandbox } from '../../src/sandbox/run-code.ts';

let box: Sandbox;
let folder: string;
let listener: Server;
let port: number;
let connections = 0;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'docent-escape-'));
  writeFileSync(path.join(folder, 'secret.txt'), 'ESCAPED: the secret');
  box = sandbox({ programs: 'dist/sandbox', dataFolder: '.docent', clock: systemClock, timeMs: 20_000 });
  listener = createServer((socket) => {
    connections += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});
afterAll(() => {
  box.close();
  listener.close();
  rmSync(folder, { recursive: true });
});

const run = (language: CodeLanguage, code: string): Promise<CodeResult> =>
  box.run(
    {
      language,
      code: code.replaceAll('FOLDER', folder).replaceAll('PORT', String(port)),
      stdin: '',
      person: undefined,
    },
    new AbortController().signal,
  );

/** What a program got hold of; `begun` when it did not even run. */
async function escapes(language: CodeLanguage, code: string): Promise<{ got: string[]; result: CodeResult }> {
  const begin = language === 'python' ? 'print("begun", flush=True)' : 'print("begun");';
  const result = await run(language, `${begin}\n${code}`);
  const got = [
    // A traceback shows the line, indented.
    ...(/^ESCAPED/m.test(result.output) ? [result.output] : []),
    ...(connections > 0 ? ['a connection'] : []),
    ...(existsSync(path.join(folder, 'made')) ? ['a file was made'] : []),
    ...(language === 'python' && !result.output.startsWith('begun') ? ['it did not run'] : []),
  ];
  return { got, result };
}

/** Reached from any object of JavaScript that Python got hold of. */
const useJs = `
def use(js):
    for attempt in (
        lambda: js.eval("1"),
        lambda: js.Function("return process")(),
        lambda: js.constructor.constructor("return process")(),
        lambda: js.process.mainModule.require("fs").readFileSync("FOLDER/secret.txt", "utf8"),
        lambda: js.process.binding("fs"),
        lambda: js.process.getBuiltinModule("fs").readFileSync("FOLDER/secret.txt", "utf8"),
        lambda: js.require("fs").readFileSync("FOLDER/secret.txt", "utf8"),
        lambda: js.fetch("http://127.0.0.1:PORT/"),
    ):
        try:
            got = attempt()
            print("ESCAPED", str(got)[:60])
        except BaseException as error:
            print("held", type(error).__name__)
`;

describe('Python', () => {
  test.each([
    ['reads a file of the host', `print(open("FOLDER/secret.txt").read())`],
    ['reads the password file', `print("ESCAPED" if "root" in open("/etc/passwd").read() else "")`],
    [
      'lists a folder of the host',
      `import os; print("ESCAPED" if "secret.txt" in os.listdir("FOLDER") else "")`,
    ],
    ['writes a file of the host', `open("FOLDER/made", "w").write("x")`],
    ['removes a file of the host', `import os; os.remove("FOLDER/secret.txt"); print("ESCAPED")`],
    [
      'follows a link',
      `import os; os.symlink("FOLDER/secret.txt", "/tmp/link"); print(open("/tmp/link").read())`,
    ],
    ['reads its own process', `print("ESCAPED", open("/proc/self/environ").read())`],
    ['reads a device', `print("ESCAPED" if open("/dev/sda", "rb").read(1) else "")`],
    [
      'reads the environment',
      `import os; print("ESCAPED" if any(name in os.environ for name in ("npm_command", "OPENAI_API_KEY", "SHELL")) else "")`,
    ],
    ['starts a shell', `import os; print("ESCAPED" if os.system("touch FOLDER/made") == 0 else "")`],
    [
      'starts a program',
      `import subprocess; print("ESCAPED", subprocess.run(["id"], capture_output=True).stdout)`,
    ],
    ['becomes another program', `import os; os.execv("/bin/sh", ["sh", "-c", "touch FOLDER/made"])`],
    ['forks', `import os; print("ESCAPED", os.fork())`],
    [
      'starts processes',
      `import multiprocessing as m; p = m.Process(target=print); p.start(); print("ESCAPED")`,
    ],
    [
      'opens a socket',
      `import socket; s = socket.create_connection(("127.0.0.1", PORT), 2); s.send(b"x"); print(s.recv(1))`,
    ],
    [
      'opens a socket without waiting',
      `import socket; s = socket.socket(); s.setblocking(False); s.connect_ex(("127.0.0.1", PORT))`,
    ],
    [
      'listens',
      `import socket; s = socket.socket(); s.bind(("0.0.0.0", 0)); s.listen(); import urllib.request`,
    ],
    [
      'fetches',
      `import urllib.request; print("ESCAPED", urllib.request.urlopen("http://127.0.0.1:PORT/").read())`,
    ],
    ['resolves a name', `import socket; print(socket.gethostbyname("localhost") and "")`],
    ['imports js', `${useJs}\nimport js; use(js)`],
    ['imports pyodide_js', `${useJs}\nimport pyodide_js; use(pyodide_js)`],
    ['imports the code of pyodide', `from pyodide.code import run_js; print("ESCAPED", run_js("1"))`],
    ['imports its core', `${useJs}\nimport _pyodide_core; use(_pyodide_core)`],
    [
      'imports past the finder',
      `import importlib.machinery as m, sys\nfor finder in sys.meta_path:\n    try:\n        spec = finder.find_spec("js")\n        print("ESCAPED" if spec else "")\n    except BaseException: pass`,
    ],
    ['takes the fence away', `${useJs}\nimport sys\nsys.meta_path.pop(0)\nimport js\nuse(js)`],
    [
      'imports afresh',
      `${useJs}\nimport sys, importlib\nsys.meta_path.clear()\nsys.path_importer_cache.clear()\nuse(importlib.import_module("js"))`,
    ],
    [
      'asks the builtin importer',
      `${useJs}\nimport _imp, sys\nfor name in ("_pyodide_core", "js"):\n    spec = type("S", (), {"name": name, "origin": None, "parent": ""})()\n    try:\n        use(_imp.create_builtin(spec))\n    except BaseException as e: print(type(e).__name__)`,
    ],
    [
      'looks through all objects',
      `${useJs}\nimport gc\nfor each in gc.get_objects():\n    if "Js" in type(each).__name__ or "js" in type(each).__module__:\n        use(each)`,
    ],
    [
      'looks through all classes',
      `${useJs}\nfor each in object.__subclasses__():\n    if "Js" in each.__name__:\n        try: use(each())\n        except BaseException: use(each)`,
    ],
    [
      'looks through the frames',
      `${useJs}\nimport sys\nframe = sys._getframe()\nwhile frame:\n    for value in list(frame.f_globals.values()) + list(frame.f_locals.values()):\n        if "Js" in type(value).__name__: use(value)\n    frame = frame.f_back`,
    ],
    [
      'looks behind its output',
      `${useJs}\nimport sys\nfor stream in (sys.stdout, sys.stderr, sys.stdin):\n    for name in dir(stream):\n        value = getattr(stream, name, None)\n        if "Js" in type(value).__name__: use(value)`,
    ],
    [
      'calls C',
      `import ctypes; libc = ctypes.CDLL(None); print("ESCAPED", libc.system(b"touch FOLDER/made"))`,
    ],
    ['writes to where it should not', `import ctypes; ctypes.string_at(0, 1 << 30)`],
    ['changes a folder', `import os; os.chdir("FOLDER"); print("ESCAPED", open("secret.txt").read())`],
    ['mounts', `import os; os.mount("FOLDER", "/mnt", "none")`],
    ['sends signals', `import os, signal; os.kill(os.getppid(), signal.SIGKILL); print("held")`],
    ['asks for its parent', `import os; print("ESCAPED" if os.getppid() > 1 else "")`],
  ])('%s', async (_what, code) => {
    expect((await escapes('python', code)).got).toEqual([]);
  });

  test('deletes its own interpreter, and the next program runs', async () => {
    await escapes(
      'python',
      `import shutil, sys\nfor path in sys.path: shutil.rmtree(path, True)\nimport os\nfor name in os.listdir("/"): shutil.rmtree("/" + name, True)`,
    );
    expect(await run('python', 'import decimal; print(decimal.Decimal("0.1") * 3)')).toMatchObject({
      output: '0.3\n',
    });
  });

  test('leaves something behind for the next one', async () => {
    await run(
      'python',
      `open("/tmp/note", "w").write("x"); import builtins, sys; builtins.note = 1; sys.note = 1`,
    );
    const next = await run(
      'python',
      `import os, sys, builtins; print(os.path.exists("/tmp/note"), hasattr(sys, "note"), hasattr(builtins, "note"))`,
    );
    expect(next.output).toBe('False False False\n');
  });
});

describe('JavaScript', () => {
  test.each([
    ['requires', `console.log(require("fs").readFileSync("FOLDER/secret.txt", "utf8"))`],
    ['imports', `import("node:fs").then((fs) => console.log(fs.readFileSync("FOLDER/secret.txt", "utf8")))`],
    ['imports at the top', `import fs from "node:fs"; console.log("ESCAPED", fs)`],
    ['has a process', `console.log("ESCAPED", process.version)`],
    ['makes a function', `console.log(Function("return this.process && 'ESCAPED'")())`],
    ['goes by constructors', `console.log(console.log.constructor("return this.process && 'ESCAPED'")())`],
    [
      'goes by an error',
      `try { null.x } catch (e) { console.log(e.constructor.constructor("return typeof process")() === "object" ? "ESCAPED" : "") }`,
    ],
    [
      'changes prototypes',
      `Object.prototype.then = (go) => go("ESCAPED?"); Array.prototype.map = null; console.log([1])`,
    ],
    ['has a getter that throws', `console.log({ get a() { throw { get message() { return "x" } } } })`],
    [
      'has toJSON and toString',
      `console.log({ toJSON() { return this.constructor.constructor("return typeof require")() === "function" ? "ESCAPED" : 1 } })`,
    ],
    ['fetches', `fetch("http://127.0.0.1:PORT/").then(() => console.log("ESCAPED"))`],
    ['opens a socket', `new WebSocket("ws://127.0.0.1:PORT/")`],
    ['has WebAssembly', `console.log(typeof WebAssembly === "object" ? "ESCAPED" : "")`],
    ['starts a thread', `new Worker("data:text/javascript,1"); console.log("ESCAPED")`],
    ['loads a file', `std.loadFile("FOLDER/secret.txt")`],
    ['runs a program', `os.exec(["touch", "FOLDER/made"])`],
    ['throws a strange thing', `throw Object.create(null)`],
    ['throws from a promise', `Promise.reject(new Proxy({}, { get() { throw 1 } }))`],
  ])('%s', async (_what, code) => {
    expect((await escapes('javascript', code)).got).toEqual([]);
  });
});

describe('what takes too much is ended, and others go on', () => {
  test.each<[string, CodeLanguage, string]>([
    ['memory of Python', 'python', 'x = []\nwhile True: x.append("a" * 10_000_000 + str(len(x)))'],
    ['one large block', 'python', 'x = bytearray(2**31 - 1)'],
    [
      'files of Python',
      'python',
      'with open("/tmp/x", "wb") as f:\n  while True: f.write(b"x" * 10_000_000)',
    ],
    [
      'many files',
      'python',
      'i = 0\nwhile True:\n  open(f"/tmp/{i}", "wb").write(b"x" * 1_000_000)\n  i += 1',
    ],
    ['recursion', 'python', 'def f(): f()\nf()'],
    ['deep recursion', 'python', 'import sys\nsys.setrecursionlimit(10**9)\ndef f(): f()\nf()'],
    ['memory of JavaScript', 'javascript', 'const x = []; for (;;) x.push("a".repeat(1e6) + x.length)'],
    ['one large array', 'javascript', 'new Uint8Array(2 ** 31); console.log("ESCAPED")'],
    ['recursion of JavaScript', 'javascript', '(function f() { f() })()'],
  ])('%s', async (_what, language, code) => {
    const { got, result } = await escapes(language, code);
    expect(got).toEqual([]);
    expect(result.ended).not.toBe('well');
    expect((await run(language, 'print(1)')).output).toBe('1\n');
  });

  test('a gigabyte of output', async () => {
    const { result } = await escapes('python', 'while True: print("x" * 10_000)');
    expect(result).toMatchObject({ ended: 'output' });
    expect(result.output.length).toBe(20_000);
  });

  test('a program that never ends', async () => {
    const quick = sandbox({
      programs: 'dist/sandbox',
      dataFolder: '.docent',
      clock: systemClock,
      timeMs: 1_000,
    });
    const endless = (language: CodeLanguage, code: string) =>
      quick.run({ language, code, stdin: '', person: undefined }, new AbortController().signal);
    expect(await endless('python', 'print("on it", flush=True)\nwhile True: pass')).toMatchObject({
      ended: 'time',
      output: 'on it\n',
    });
    expect(
      await endless('python', 'while True:\n  try:\n    while True: pass\n  except: pass'),
    ).toMatchObject({ ended: 'time' });
    expect(await endless('javascript', 'print("on it"); for (;;);')).toMatchObject({
      ended: 'time',
      output: 'on it\n',
    });
    expect(await endless('javascript', '/(?:a+)+$/.test("a".repeat(40) + "b")')).toMatchObject({
      ended: 'time',
    });
    quick.close();
  });
});

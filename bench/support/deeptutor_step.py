"""Measures DeepTutor's labelled step: its own code, fed chunks from memory, live body streaming on.

Started with the folder that holds the package. Says `ready` or why not, reads one line of JSON
(`texts`, `replies`), then answers every further line with the CPU per character in microseconds.
"""

import asyncio
import json
import sys
import time
from types import SimpleNamespace

ALLOWED = ("FINISH", "TOOL", "THINK", "PAUSE")


def chunk(content, finish_reason=None):
    delta = SimpleNamespace(content=content, tool_calls=None, reasoning_content=None, reasoning=None)
    choice = SimpleNamespace(delta=delta, finish_reason=finish_reason)
    return SimpleNamespace(choices=[choice], usage=None)


class Response:
    """What the SDK returns: an async iterator that can be closed."""

    def __init__(self, chunks):
        self.chunks = iter(chunks)

    def __aiter__(self):
        return self

    async def __anext__(self):
        try:
            return next(self.chunks)
        except StopIteration:
            raise StopAsyncIteration from None

    async def close(self):
        pass


def client_of(chunks):
    async def create(**_request):
        return Response(chunks)

    return SimpleNamespace(chat=SimpleNamespace(completions=SimpleNamespace(create=create)))


async def sample(step, bus, texts, replies):
    chunks = [*map(chunk, texts), chunk(None, "stop")]
    chars = sum(map(len, texts))
    client = client_of(chunks)
    before = time.process_time()
    for _ in range(replies):
        result = await step(
            client=client,
            model="bench",
            messages=[{"role": "user", "content": "How do the tides work?"}],
            completion_kwargs={},
            tool_schemas=None,
            allowed_labels=ALLOWED,
            final_labels=frozenset({"FINISH", "PAUSE"}),
            tool_label="TOOL",
            stream=bus(),
            source="bench",
            stage="responding",
            iter_meta={"call_id": "bench", "label": "Reasoning"},
            final_meta={"call_id": "bench", "call_kind": "llm_final_response"},
        )
        if result.label != "FINISH":
            raise RuntimeError(f"the reply was read as {result.label}")
    return (time.process_time() - before) * 1e6 / (replies * chars)


def main():
    sys.path.insert(0, sys.argv[1])
    try:
        from deeptutor.core.agentic.labeled_step import run_labeled_step
        from deeptutor.core.stream_bus import StreamBus
    except Exception as error:  # whatever its imports raise, the reader needs to know
        print(f"{type(error).__name__}: {error}", flush=True)
        return
    print("ready", flush=True)
    work = json.loads(sys.stdin.readline())
    for _line in sys.stdin:
        cost = sample(run_labeled_step, StreamBus, work["texts"], work["replies"])
        print(asyncio.run(cost), flush=True)


main()

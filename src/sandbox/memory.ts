/** What is needed of `WebAssembly.Memory`: TypeScript knows it in browsers only. */
interface Memory {
  readonly buffer: ArrayBuffer;
  readonly grow: (this: Memory, pages: number) => number;
}

declare const WebAssembly: { readonly Memory: { readonly prototype: Memory } };

const pageBytes = 65_536;

/** WebAssembly may take so much memory and no more; it sees a failed allocation. Unit: bytes. */
export function capMemory(maxBytes: number): void {
  const { prototype } = WebAssembly.Memory;
  const { grow } = prototype;
  Reflect.defineProperty(prototype, 'grow', {
    value(this: Memory, pages: number) {
      if (this.buffer.byteLength + pages * pageBytes > maxBytes)
        throw new RangeError('the memory is used up');
      return Reflect.apply(grow, this, [pages]);
    },
  });
}

/** The newest entries of a map, for what may be asked for again and can be done without. */
export class Recent<Value> {
  private readonly values = new Map<string, Value>();

  constructor(private readonly max: number) {}

  get(key: string): Value | undefined {
    return this.values.get(key);
  }

  delete(key: string): void {
    this.values.delete(key);
  }

  set(key: string, value: Value): void {
    this.values.delete(key);
    this.values.set(key, value);
    const [oldest] = this.values.keys();
    if (this.values.size > this.max && oldest !== undefined) this.values.delete(oldest);
  }
}

/**
 * A map of limited size. A new key above the limit evicts the key whose value was set the longest ago.
 */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #maxSize: number;

  constructor(maxSize: number) {
    super();
    this.#maxSize = maxSize;
  }

  override set(key: Key, value: Value): this {
    // Deleted first, because a map keeps the position of a key that exists.
    this.delete(key);
    if (this.size >= this.#maxSize) this.delete(this.keys().next().value!);
    return super.set(key, value);
  }
}

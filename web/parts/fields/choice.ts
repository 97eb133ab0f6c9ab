/** A choice of a picker. */
export type Choice<Value> = {
  value: Value;
  words: string;
  /** The heading above the choices of the same group. */
  group?: string;
  isDisabled?: boolean;
};

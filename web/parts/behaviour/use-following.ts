import { useLayoutEffect, useRef, useState } from 'react';

/**
 * The text of a field whose value is kept elsewhere, such as in the address. The field follows when the value is
 * changed elsewhere, but not when its own text comes back, which must not undo what was typed since.
 *
 * @returns the text and a function that sets it
 */
export function useFollowing(value: string): [string, (text: string) => void] {
  const [text, setText] = useState(value);
  const known = useRef(value);

  // Before anything is painted.
  useLayoutEffect(() => {
    if (value === known.current) return;
    known.current = value;
    setText(value);
  }, [value]);

  return [
    text,
    (next) => {
      known.current = next;
      setText(next);
    },
  ];
}

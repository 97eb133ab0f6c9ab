import type { ReactNode } from 'react';

const box = 'max-h-72 rounded-lg border border-line bg-surface p-3 font-mono';

/** A text of a program that may be long, such as a body. It keeps its line breaks, and scrolls. */
export function LongText({ look = box, children }: { look?: string; children: ReactNode }) {
  return (
    <pre
      // It scrolls, so a keyboard must reach it.
      // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
      tabIndex={0}
      className={`overflow-auto text-xs whitespace-pre-wrap break-all ${look}`}
    >
      {children}
    </pre>
  );
}

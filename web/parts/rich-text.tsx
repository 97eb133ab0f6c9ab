import { Fragment, type ReactNode } from 'react';
import { splitMarks } from './split-marks.ts';

const elements = { '*': 'strong', _: 'em', '~': 's' } as const;

/** Marks inside marks: more than three deep they mean nothing. */
const maxDepth = 3;

/** A text with the marks of WhatsApp: *bold*, _italic_, ~struck~, ```code```. Links stay plain text. */
export function RichText({ text, depth = 0 }: { text: string; depth?: number }): ReactNode {
  if (depth > maxDepth) return text;
  let at = 0;
  return splitMarks(text).map(({ mark, text: inner }) => {
    const key = at;
    at += inner.length + 1;
    if (mark === undefined) return <Fragment key={key}>{inner}</Fragment>;
    if (mark === '```') return <code key={key}>{inner}</code>;
    const Element = elements[mark];
    return (
      <Element key={key}>
        <RichText text={inner} depth={depth + 1} />
      </Element>
    );
  });
}

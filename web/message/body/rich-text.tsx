import { Fragment, type ReactNode } from 'react';
import { OutsideLink } from './outside-link.tsx';
import { splitMarks } from './split-marks.ts';

const elements = { '*': 'strong', _: 'em', '~': 's' } as const;

/** Deeper nested marks are plain text. */
const maxDepth = 3;

/** Draws a text with WhatsApp's marks (*bold*, _italic_, ~struck~, ```code```) and its links. */
export function RichText({ text, depth = 0 }: { text: string; depth?: number }): ReactNode {
  if (depth > maxDepth) return text;
  let at = 0;
  return splitMarks(text).map(({ mark, text: inner }) => {
    const key = at;
    at += inner.length + 1;
    if (mark === undefined) return <Fragment key={key}>{inner}</Fragment>;
    if (mark === 'link') {
      return (
        <OutsideLink
          key={key}
          href={inner}
          className="wrap-anywhere text-accent underline underline-offset-2"
        >
          {inner}
        </OutsideLink>
      );
    }
    if (mark === '```') {
      return (
        <code key={key} className="rounded bg-ink/8 px-1 font-mono text-[0.92em]">
          {inner}
        </code>
      );
    }
    const Element = elements[mark];
    return (
      <Element key={key}>
        <RichText text={inner} depth={depth + 1} />
      </Element>
    );
  });
}

/** A paragraph of a message: its own direction, its line breaks, and no word wider than the bubble. */
export function Paragraph({ text, className = '' }: { text: string; className?: string }) {
  return (
    <p dir="auto" className={`whitespace-pre-wrap break-words ${className}`}>
      <RichText text={text} />
    </p>
  );
}

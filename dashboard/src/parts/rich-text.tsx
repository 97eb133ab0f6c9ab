import { Fragment, type ReactNode } from 'react';

const marks = { '*': 'strong', _: 'em', '~': 's' } as const;

/** As on a phone: a mark stands at the edge of a word, so that `5*4 and 3*2` keeps its stars. */
const pattern = /```([\s\S]+?)```|(?<![\p{L}\p{N}])([*_~])(?=\S)([^\n]*?\S)\2(?![\p{L}\p{N}])/gu;

/** A text with the marks of WhatsApp: *bold*, _italic_, ~struck~, ```code```. Links stay plain text. */
export function RichText({ text }: { text: string }): ReactNode {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const { 0: all, 1: code, 2: mark, 3: marked = '', index } of text.matchAll(pattern)) {
    const Mark = mark && marks[mark as keyof typeof marks];
    parts.push(text.slice(end, index));
    parts.push(
      <Fragment key={index}>
        {Mark ? (
          <Mark>
            <RichText text={marked} />
          </Mark>
        ) : (
          <code>{code}</code>
        )}
      </Fragment>,
    );
    end = index + all.length;
  }
  return [...parts, text.slice(end)];
}

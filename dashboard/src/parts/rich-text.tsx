import type { ReactNode } from 'react';

const marks: { pattern: RegExp; wrap: (children: ReactNode, key: number) => ReactNode }[] = [
  { pattern: /\*([^*\n]+)\*/, wrap: (text, key) => <strong key={key}>{text}</strong> },
  { pattern: /\b_([^_\n]+)_\b/, wrap: (text, key) => <em key={key}>{text}</em> },
  { pattern: /~([^~\n]+)~/, wrap: (text, key) => <s key={key}>{text}</s> },
];

/** A text with the marks of WhatsApp: *bold*, _italic_, ~struck~. Links stay plain text. */
export function RichText({ text }: { text: string }): ReactNode {
  for (const { pattern, wrap } of marks) {
    const match = pattern.exec(text);
    if (!match) continue;
    const before = text.slice(0, match.index);
    const after = text.slice(match.index + match[0].length);
    return (
      <>
        {before && <RichText text={before} />}
        {wrap(<RichText text={match[1] ?? ''} />, match.index)}
        {after && <RichText text={after} />}
      </>
    );
  }
  return text;
}

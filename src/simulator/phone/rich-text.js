import { el } from './dom.js';
import { splitMarks } from './split-marks.js';

const elements = { '*': 'strong', _: 'em', '~': 's' };

/** Deeper nested marks are plain text. */
const maxDepth = 3;

/**
 * Renders the text of a message with the network's marks (*bold*, _italic_, ~struck~,
 * ```monospace```) and links. Uses text nodes only.
 * @returns {Node[]}
 */
export function richText(text, depth = 0) {
  if (depth > maxDepth) return [document.createTextNode(text)];
  return splitMarks(text).map(({ mark, text: inner }) => {
    if (mark === undefined) return document.createTextNode(inner);
    if (mark === 'link') return outsideLink(inner, inner);
    if (mark === '```') return el('code', {}, inner);
    return el(elements[mark], {}, richText(inner, depth + 1));
  });
}

/** Creates a link that opens in a new tab. Only http and https links work. */
export function outsideLink(href, ...children) {
  const safe = /^https?:\/\//i.test(href) ? href : undefined;
  return el('a', { href: safe, target: '_blank', rel: 'noopener noreferrer' }, ...children);
}

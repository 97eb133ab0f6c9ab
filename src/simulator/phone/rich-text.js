import { el } from './dom.js';

const marks = { '*': 'strong', _: 'em', '~': 's' };
const pattern =
  /```([\s\S]+?)```|(?<![\p{L}\p{N}])([*_~])(?=\S)([^\n]*?\S)\2(?![\p{L}\p{N}])|https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)]/gu;

/**
 * The nodes of a message's text, with the network's marks (*bold*, _italic_, ~struck~,
 * ```monospace```) and links. Built from text nodes only.
 * @returns {Node[]}
 */
export function richText(text) {
  const nodes = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    nodes.push(document.createTextNode(text.slice(end, match.index)));
    end = match.index + match[0].length;
    if (match[1] !== undefined) nodes.push(el('code', {}, match[1]));
    else if (match[2] !== undefined) nodes.push(el(marks[match[2]], {}, richText(match[3])));
    else nodes.push(outsideLink(match[0], match[0]));
  }
  nodes.push(document.createTextNode(text.slice(end)));
  return nodes;
}

/** A link that opens beside this page; only http and https ones work. */
export function outsideLink(href, ...children) {
  const safe = /^https?:\/\//i.test(href) ? href : undefined;
  return el('a', { href: safe, target: '_blank', rel: 'noopener noreferrer' }, ...children);
}

import type { Page } from 'playwright-core';

/**
 * Draws the page with texts that are longer, as in another language: each vowel has an accent and is doubled.
 * Texts of people stay as they are, and so does the page afterwards.
 *
 * @returns what sticks out: of the window, of its button, of a card, or of a box that does not shrink, and so over the
 *   text beside it
 */
export function findCutTexts(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const accents = { a: 'á', e: 'é', i: 'í', o: 'ó', u: 'ú', A: 'Á', E: 'É', I: 'Í', O: 'Ó', U: 'Ú' };
    const longer = (text) => text.replace(/[aeiou]/gi, (vowel) => accents[vowel].repeat(2));
    const ofPeople = '[dir=auto], bdi, code, time, pre, script, style';
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const changed = [];
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      if (node.parentElement.closest(ofPeople) || !/[a-z]{2}/i.test(node.data)) continue;
      changed.push([node, node.data]);
      node.data = longer(node.data);
    }
    const frames = [document.documentElement, ...document.querySelectorAll('[role=dialog]')];
    const found = frames
      .filter((each) => each.scrollWidth > each.clientWidth)
      .map((each) => each.nodeName + ' by ' + (each.scrollWidth - each.clientWidth));
    for (const each of document.querySelectorAll('button, [role=tab]')) {
      if (getComputedStyle(each).overflowX !== 'visible' || each.clientWidth < 8) continue;
      if (each.scrollWidth > each.clientWidth + 1) found.push('button ' + each.textContent);
    }
    for (const each of document.querySelectorAll('body :not(input)')) {
      if (each.scrollWidth <= each.clientWidth + 1 || each.clientWidth < 8) continue;
      const { overflowX, flexShrink } = getComputedStyle(each);
      const isRigid = flexShrink === '0' && overflowX === 'visible';
      if (isRigid || overflowX === 'clip') found.push(each.nodeName + ' ' + each.textContent.slice(0, 60));
    }
    for (const [node, text] of changed) node.data = text;
    return found;
  })()`);
}

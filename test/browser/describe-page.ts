import type { Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

/** Records the last mouse events of the page and their targets, because a press may be lost. */
export const notePresses = `globalThis.presses = [];
for (const type of ['pointerdown', 'pointerup', 'click', 'submit']) {
  addEventListener(type, ({ target }) => {
    presses.push(type + ' on ' + target.nodeName + ' ' + String(target.textContent).slice(0, 20));
    presses.splice(0, presses.length - 8);
  }, true);
}`;

/** Reports what the page shows and which requests failed if the test fails. A timeout alone does not say why. */
export function describeOnFailure(page: Page): void {
  const failed: string[] = [];
  const underWay = new Set<string>();
  page.on('request', (request) => underWay.add(request.url()));
  page.on('requestfinished', (request) => underWay.delete(request.url()));
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText;
    underWay.delete(request.url());
    failed.push(`${new Date().toISOString()} ${request.method()} ${request.url()} ${why}`);
  });
  onTestFinished(async ({ task }) => {
    if (task.result?.state !== 'fail') return;
    console.error(await describePage(page), { failed, underWay });
  });
}

async function describePage(page: Page): Promise<string> {
  const found = await page
    .evaluate<string>(`(() => {
      const all = (selector) => [...document.querySelectorAll(selector)];
      const dialogs = all('[role=dialog], [role=alertdialog]').length;
      const hidden = all('body > [aria-hidden=true]').length;
      const fields = all('[role=dialog] input, [role=dialog] button').map(
        (each) => (each.disabled ? 'disabled ' : '') + (each.value || each.textContent));
      const focus = document.activeElement.outerHTML.slice(0, 200);
      return innerWidth + ' wide, ' + dialogs + ' dialogs, ' + hidden + ' parts hidden from readers:\\n' +
        document.body.innerText + '\\n' + JSON.stringify({ presses, focus, fields });
    })()`)
    .catch(String);
  return `The page of the failed test, ${page.url()}, ${found}`;
}

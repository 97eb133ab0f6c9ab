import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { syncTemplates } from '../../../src/templates/syncing/sync-templates.ts';
import { look } from '../../browser/look.ts';
import { pick, testDashboard } from '../../browser/open-dashboard.ts';
import type { TestTenant } from '../../program/app.ts';
import { onThePhone, writeTo } from '../../servers/phone.ts';

const app = testDashboard();
const from = '+14155550177';
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const photo = { name: 'blue one.png', mimeType: 'image/png', buffer: picture };

async function openChat(shop: TestTenant): Promise<Page> {
  await writeTo(app, shop.number, from, 'A photo of the blue one?');
  return app.open(shop, { at: `/conversations?phone=${encodeURIComponent(from)}` });
}

const sentTo = async (shop: TestTenant) =>
  (await onThePhone(app, shop)).filter((each) => each.direction === 'outbound');

type Given = [name: string, type: string, text: string];

/**
 * Gives the page files from the clipboard, or drops them. A file without a name is text beside them.
 *
 * @returns whether the page took them
 */
function give(page: Page, event: 'paste' | 'drop', ...files: Given[]): Promise<boolean> {
  return page.evaluate(`(() => {
    const data = new DataTransfer();
    for (const [name, type, text] of ${JSON.stringify(files)}) {
      if (name) data.items.add(new File([text], name, { type }));
      else data.items.add(text, type);
    }
    const options = { bubbles: true, cancelable: true };
    return !document.body.dispatchEvent(
      '${event}' === 'paste'
        ? new ClipboardEvent('paste', { ...options, clipboardData: data })
        : new DragEvent('drop', { ...options, dataTransfer: data }),
    );
  })()`);
}

test('a file is sent by button, drop and paste, with a caption, once, also if the response is lost', async () => {
  const shop = await app.tenant();
  const page = await openChat(shop);
  const thread = page.getByRole('log', { name: 'Messages' });
  const dialog = page.getByRole('dialog');
  const field = page.getByRole('textbox', { name: 'Message' });
  const picker = page.locator('footer input[type=file]');
  await field.fill('This is the blue one');
  await look(page, 'composer-attach');
  await picker.setInputFiles(photo);
  await dialog.getByRole('img').first().waitFor();
  expect(await dialog.getByLabel('Caption').inputValue()).toBe('This is the blue one');
  await look(page, 'send-file');
  // Both attempts are made, and the responses to them are lost.
  let isLost = true;
  await page.route('**/messages/media', async (route) => {
    const response = await route.fetch();
    if (isLost) await route.abort();
    else await route.fulfill({ response });
  });
  await dialog.getByRole('button', { name: 'Send' }).click();
  await dialog.getByText('Parley can’t be reached.').waitFor();
  isLost = false;
  await dialog.getByRole('button', { name: 'Send' }).click();
  await dialog.waitFor({ state: 'detached' });
  await thread.getByText('This is the blue one').waitFor();
  expect(await field.inputValue()).toBe('');
  expect(await sentTo(shop)).toHaveLength(1);

  await give(page, 'drop', ['invoice.txt', 'text/plain', 'Invoice 7']);
  await dialog.getByText('invoice.txt').first().waitFor();
  await dialog.getByLabel('Caption').fill('Your invoice');
  await dialog.getByRole('button', { name: 'Send' }).click();
  await thread.getByText('Your invoice').waitFor();
  await dialog.waitFor({ state: 'detached' });
  await give(page, 'paste', ['notes.txt', 'text/plain', 'Notes']);
  await dialog.getByRole('button', { name: 'Send' }).click();
  await thread.getByText('notes.txt').waitFor();
  const [first, second, third] = await sentTo(shop);
  expect(first.payload.image).toMatchObject({ caption: 'This is the blue one' });
  expect(second.payload.document).toMatchObject({
    filename: 'invoice.txt',
    caption: 'Your invoice',
  });
  expect(third.payload.document).toMatchObject({ filename: 'notes.txt' });
});

test('cells of a spreadsheet are pasted as text, and copied files as files', async () => {
  const shop = await app.tenant();
  const page = await openChat(shop);
  const dialog = page.getByRole('dialog');
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  // Spreadsheets also copy a picture of the cells.
  const cells: Given[] = [
    ['', 'text/plain', 'Blue one\t19.90'],
    ['image.png', 'image/png', 'x'],
  ];
  expect(await give(page, 'paste', ...cells)).toBe(false);
  expect(await dialog.count()).toBe(0);
  // Some file managers also copy the names.
  const notes: Given = ['notes.txt', 'text/plain', 'Notes'];
  expect(await give(page, 'paste', ['', 'text/plain', '/home/ann/notes.txt'], notes)).toBe(true);
  await dialog.getByText('notes.txt').first().waitFor();
});

test('a file that WhatsApp does not take is refused before it is uploaded, and an upload can be stopped', async () => {
  const shop = await app.tenant();
  const page = await openChat(shop);
  const dialog = page.getByRole('dialog');
  const picker = page.locator('footer input[type=file]');
  let uploads = 0;
  await page.route('**/dashboard-api/*/media', () => void uploads++);
  await picker.setInputFiles({ ...photo, buffer: Buffer.alloc(5 * 1024 * 1024 + 1) });
  await dialog.getByText('This photo has 5.1 MB. WhatsApp takes photos up to 5 MB.').waitFor();
  expect(await dialog.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
  await look(page, 'send-file-refused');
  await page.keyboard.press('Escape');
  await give(page, 'drop', ['a.webp', 'image/webp', 'x']);
  await dialog.getByText('WhatsApp doesn’t take this type of file.').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(uploads).toBe(0);

  await picker.setInputFiles(photo);
  await dialog.getByRole('button', { name: 'Send' }).click();
  await dialog.getByRole('progressbar').waitFor();
  await look(page, 'send-file-uploading');
  await dialog.getByRole('button', { name: 'Stop the upload' }).click();
  await dialog.getByText('The upload was stopped. The file was not sent.').waitFor();
  expect(await sentTo(shop)).toHaveLength(0);
});

test('several files are sent one after the other, each once, also if one of them is not sent at first', async () => {
  const shop = await app.tenant();
  const page = await openChat(shop);
  const dialog = page.getByRole('dialog');
  const rows = dialog.getByRole('listitem');
  const send = dialog.getByRole('button', { name: 'Send', exact: true });
  const notes = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Notes') };
  const web = { name: 'a.webp', mimeType: 'image/webp', buffer: picture };
  // Two of them are the same.
  await page.locator('footer input[type=file]').setInputFiles([photo, web, notes, notes]);
  await dialog.getByRole('heading', { name: 'Send 4 files' }).waitFor();
  await rows.getByText('WhatsApp doesn’t take this type of file.').waitFor();
  expect(await send.isDisabled()).toBe(true);
  await look(page, 'send-files');
  await dialog.getByRole('button', { name: 'Take a.webp out' }).click();
  await dialog.getByRole('heading', { name: 'Send 3 files' }).waitFor();
  await dialog.getByLabel('Caption').fill('For you');

  // It is sent, but its response is lost.
  let isLost = true;
  await page.route('**/messages/media', async (route) => {
    const response = await route.fetch();
    const isPhoto = route.request().postDataJSON().type === 'image';
    if (isLost && !isPhoto) await route.abort();
    else await route.fulfill({ response });
  });
  await send.click();
  await dialog.getByText('1 of 3 sent').waitFor();
  await rows.nth(1).getByText('Unknown').waitFor();
  await dialog.getByText('Parley can’t be reached.').waitFor();
  expect(await dialog.getByLabel('Caption').inputValue()).toBe('');
  await look(page, 'send-files-problem');
  isLost = false;
  await send.click();
  await dialog.waitFor({ state: 'detached' });
  const sent = (await sentTo(shop)).map(({ payload }) => payload.image ?? payload.document);
  const document = { id: expect.any(String), filename: 'notes.txt' };
  expect(sent).toEqual([{ id: expect.any(String), caption: 'For you' }, document, document]);

  await give(page, 'drop', ['one.txt', 'text/plain', '1'], ['two.txt', 'text/plain', '2']);
  await dialog.getByRole('button', { name: 'Take one.txt out' }).click();
  await dialog.getByRole('button', { name: 'Take two.txt out' }).click();
  await dialog.waitFor({ state: 'detached' });
  await give(page, 'paste', ['one.txt', 'text/plain', '1'], ['two.txt', 'text/plain', '2']);
  await send.click();
  await page.getByRole('log').getByText('two.txt').waitFor();
  await dialog.waitFor({ state: 'detached' });
  expect(await sentTo(shop)).toHaveLength(5);
});

test('files that wait behind another one are not lost without a question', async () => {
  const shop = await app.tenant();
  const page = await openChat(shop);
  await page.getByRole('link', { name: 'Conversations', exact: true }).click();
  await page.getByRole('textbox', { name: 'Message' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: /A photo of the blue one/ }).click();
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  const notes = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Notes') };
  await page.locator('footer input[type=file]').setInputFiles([photo, notes, notes]);
  await page.getByRole('dialog').waitFor();
  await page.goBack();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.getByRole('textbox', { name: 'Message' }).count()).toBe(1);
  await page.locator('footer input[type=file]').setInputFiles([photo, notes, notes]);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/messages/media', async (route) => {
    await released;
    await route.continue();
  });
  await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('dialog').getByText('Sending').waitFor();

  const asked = page.waitForEvent('dialog');
  // Not awaited: the page stays.
  void page.evaluate('location.reload()').catch(() => {});
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  const question = page.getByRole('alertdialog', { name: 'Leave before all files are sent?' });
  await page.goBack();
  await question.getByText('3 files have not been sent yet.').waitFor();
  await look(page, 'send-files-leave');
  await question.getByRole('button', { name: 'Stay' }).click();
  await question.waitFor({ state: 'detached' });
  await page.goBack();
  await question.getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  release();
  await page.getByText(/^Message to .*: The upload was stopped/).waitFor();
  expect(await sentTo(shop)).toHaveLength(1);
});

test('the file in the header of a template is uploaded in its dialog', async () => {
  const shop = await app.tenant();
  await syncTemplates(app.services, shop.id);
  const page = await openChat(shop);
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Send a template' }).click();
  await pick(dialog.getByLabel('Template', { exact: true }), 'invoice_ready (en)');
  await dialog.getByRole('textbox').fill('1042');
  const picker = dialog.getByLabel('Document of the header');
  await picker.setInputFiles(photo);
  await dialog.getByText('Choose a PDF, text, Word, Excel or PowerPoint file.').waitFor();
  expect(await dialog.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
  await dialog.getByRole('button', { name: 'Use a URL instead' }).click();
  await dialog.getByRole('button', { name: 'Upload a file instead' }).click();
  expect(await picker.inputValue()).toBe('');
  expect(await dialog.getByText('Choose a PDF, text').count()).toBe(0);
  await picker.setInputFiles({
    name: 'invoice.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('Invoice 1042'),
  });
  await look(page, 'send-template-file');
  await dialog.getByRole('button', { name: 'Send' }).click();
  await dialog.waitFor({ state: 'detached' });
  const [sent] = await sentTo(shop);
  const [header] = sent.payload.template.components;
  expect(header.parameters[0].document).toEqual({
    id: expect.any(String),
    filename: 'invoice.txt',
  });
  await page.getByRole('log').getByText('invoice.txt').waitFor();
});

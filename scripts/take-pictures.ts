import { mkdir } from 'node:fs/promises';
import { launchBrowser } from '../test/browser/launch-browser.ts';
import { eventually } from '../test/checks/eventually.ts';
import { callHttps, createPlace, startService } from '../test/program/start-service.ts';

/**
 * Takes the pictures of the README from a new demo: the dashboard, and a phone of the simulated network in
 * the middle of a conversation.
 */
const folder = new URL('../docs/pictures/', import.meta.url);
const person = { phone: '+14155550123', name: 'Ada Lovelace' };

const place = await createPlace();
const { printed, stop } = await startService(place, 'demo');
const browser = await launchBrowser();
try {
  await mkdir(folder, { recursive: true });
  await talk();
  await takePhone();
  await takeDashboard();
} finally {
  await browser.close();
  await stop();
  await place.remove();
}

/** Creates a few contacts, and a conversation in both directions. */
async function talk() {
  const [firstname, lastname] = person.name.split(' ');
  const status = await api('/statuses', { name: 'Customer', color: '#22c55e' });
  await api('/contacts', {
    firstname,
    lastname,
    phone: person.phone,
    city: 'London',
    status_id: status.data.id,
  });
  await api('/contacts', { firstname: 'Grace', lastname: 'Hopper', phone: '+14155550177' });
  await api('/messages/template', {
    phone_number: person.phone,
    template_name: 'order_update',
    template_language: 'en',
    field_1: firstname,
    field_2: '#1042',
    field_3: 'Friday',
  });
  const { numbers } = await simulator('GET', '/simulator/numbers');
  await simulator('POST', '/simulator/inbound', {
    phone_number_id: numbers[0]!.phone_number_id,
    from: person.phone.slice(1),
    profile_name: person.name,
    text: 'Lovely, thank you! Can it come on Saturday?',
  });
  await received();
  await api('/messages/send', {
    phone_number: person.phone,
    type: 'text',
    message: 'Of course, Saturday it is.',
  });
  await api('/messages/template', {
    phone_number: '+14155550177',
    template_name: 'login_code',
    template_language: 'en_US',
    auto_generate_otp: true,
  });
}

/** Waits until the person's message has arrived, so that the reply comes after it. */
async function received() {
  const path = `/api/${printed.tenant}/conversations/${encodeURIComponent(person.phone)}`;
  await eventually(async () => {
    const { body } = await callHttps(place, 'GET', path, { token: printed.token });
    return body.data?.last_message.direction === 'in';
  });
}

async function takePhone() {
  const page = await browser.newPage({
    viewport: { width: 900, height: 640 },
    reducedMotion: 'reduce',
  });
  await page.goto(printed.simulator!);
  await page.getByText('Saturday it is').first().waitFor();
  await page.getByText(person.name).first().click();
  await page.getByText('Can it come on Saturday?').last().waitFor();
  await page.screenshot({ path: new URL('phone.png', folder).pathname });
}

async function takeDashboard() {
  const context = await browser.newContext({
    ignoreHTTPSErrors: true,
    viewport: { width: 1200, height: 760 },
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.goto(printed.sign_in!);
  await page.getByLabel('Your name').fill('Maria');
  await page.locator('input[type=password]').fill('correct horse battery');
  await page.locator('button[type=submit]').click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await page.getByRole('link', { name: 'Conversations' }).click();
  await page.getByText(person.name).first().click();
  await page.getByRole('log').getByText('Saturday it is').waitFor();
  await page.screenshot({ path: new URL('dashboard.png', folder).pathname });
}

async function api(path: string, body: object) {
  const response = await callHttps(place, 'POST', `/api/${printed.tenant}${path}`, {
    token: printed.token,
    body,
  });
  if (response.status !== 200) throw new Error(`${path}: ${JSON.stringify(response.body)}`);
  return response.body;
}

async function simulator(method: string, path: string, body?: object) {
  const response = await fetch(`${printed.simulator}${path}`, {
    method,
    headers: body ? { 'content-type': 'application/json' } : {},
    body: body && JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  return (await response.json()) as { numbers: { phone_number_id: string }[] };
}

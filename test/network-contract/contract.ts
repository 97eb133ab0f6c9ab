import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventuallyHolds } from '../checks/eventually.ts';
import { type NetworkAddress, type RunningNetwork, startNetwork } from './running-network.ts';

/** What a client of the network must be able to do, independent of any one client. */
export interface NetworkClient {
  sendText(text: { to: string; body: string }): Promise<Sent>;
  /** Sends a text to a person whose phone the network hides. */
  sendToUserId(userId: string, body: string): Promise<Sent>;
  sendMedia(media: OutboundMedia): Promise<Sent>;
  sendTemplate(template: OutboundTemplate): Promise<Sent>;
  /** Sends a template by the endpoint for marketing; undefined if the client cannot. */
  sendMarketing?(template: OutboundTemplate): Promise<Sent>;
  /** The calls that connect a number; undefined if the client cannot. */
  connecting?: Connecting;
  /** Lists every template of the business account, over all pages. */
  listTemplates(): Promise<ListedTemplate[]>;
  /** Whether a callback with exactly these bytes and this X-Hub-Signature-256 is genuine. */
  verifySignature(raw: Buffer, header: string): Promise<boolean>;
}

export interface Connecting {
  /** What the network says about the client's own token. */
  inspectToken(): Promise<{ appId: string; scopes: string[] }>;
  /** The ids of the numbers of the business account. */
  listNumbers(): Promise<string[]>;
  register(pin: string): Promise<Changed>;
  /** Subscribes the app to the account, with an address for the account or for the number. */
  subscribe(callback: { url: string; verifyToken: string }): Promise<Changed>;
  /** The address of each subscribed app for the account, or that of the number. */
  overrides(): Promise<(string | null)[]>;
}

/** Whether the network made a change, or the code of its refusal. */
export type Changed = true | { code: number };

export interface ListedTemplate {
  name: string;
  language: string;
  status: string;
}

/** The network's result of a send: its message id, or the code of its refusal. */
export type Sent = { id: string } | { code: number };

interface OutboundMedia {
  to: string;
  type: 'image' | 'video' | 'document' | 'audio';
  link: string;
  caption?: string;
  filename?: string;
}

export interface OutboundTemplate {
  to: string;
  name: string;
  language: string;
  /** Values of the body's placeholders, in order. */
  body?: string[];
  headerImage?: string;
  /** The variable end of the URL button at index 0, or the code of an authentication template. */
  urlButton?: string;
}

/** Runs the contract for one client against a new simulator. */
export function networkContract(
  name: string,
  makeClient: (address: NetworkAddress) => NetworkClient | Promise<NetworkClient>,
): void {
  describe(`${name} and the network agree`, () => {
    let network: RunningNetwork;
    let client: NetworkClient;
    beforeAll(async () => {
      network = await startNetwork();
      client = await makeClient(network.address);
    });
    afterAll(() => network.close());

    test('on a text', async () => {
      const body = 'Grüße, "quotes" / slashes\nand 😀';
      const id = taken(await client.sendText({ to: '+15550001001', body }));
      const stored = await network.message(id);
      expect(stored.payload.text.body).toBe(body);
      expect(stored.phone).toBe('15550001001');
    });

    test('on a text to a user id', async () => {
      const { control } = network;
      await control('POST', '/simulator/phones', { phone: '+15550001011' });
      const hidden = { username: 'amina.k', hidden: true };
      const path = '/simulator/phones/15550001011';
      const { user_id } = await control('PATCH', path, hidden);
      const stored = await network.message(taken(await client.sendToUserId(user_id, 'Hello')));
      expect(stored.phone).toBe('15550001011');
      expect(stored.payload.text.body).toBe('Hello');
      expect(await client.sendToUserId('US.nobody', 'Hello')).toMatchObject({
        code: expect.any(Number),
      });
    });

    test.each([
      { type: 'image', link: 'https://files.example.com/a.jpg', caption: 'A view' },
      { type: 'video', link: 'https://files.example.com/a.mp4' },
      { type: 'audio', link: 'https://files.example.com/a.ogg' },
      { type: 'document', link: 'https://files.example.com/a.pdf', filename: 'Invoice.pdf' },
    ] as const)('on media of type $type', async ({ type, ...media }) => {
      const id = taken(await client.sendMedia({ to: '+15550001002', type, ...media }));
      const stored = await network.message(id);
      expect(stored.payload[type]).toMatchObject(media);
    });

    test('on a template with a body', async () => {
      const template = { name: 'order_update', language: 'en', body: ['Amina', '#7', 'Friday'] };
      const id = taken(await client.sendTemplate({ to: '+15550001003', ...template }));
      const stored = await network.message(id);
      expect(stored.rendered.body).toBe(
        'Hello Amina, your order #7 has left our warehouse and should reach you on Friday.',
      );
    });

    test('on a template with an image header and a URL button', async () => {
      const sent = await client.sendTemplate({
        to: '+15550001003',
        name: 'spring_offer',
        language: 'en',
        body: ['Amina', 'SPRING15'],
        headerImage: 'https://files.example.com/spring.jpg',
        urlButton: 'amina',
      });
      const stored = await network.message(taken(sent));
      expect(stored.rendered.header.link).toBe('https://files.example.com/spring.jpg');
      expect(stored.rendered.buttons[0].url).toBe('https://shop.example.com/spring/amina');
    });

    test('on an authentication template', async () => {
      const sent = await client.sendTemplate({
        to: '+15550001004',
        name: 'login_code',
        language: 'en_US',
        body: ['123456'],
        urlButton: '123456',
      });
      const stored = await network.message(taken(sent));
      expect(stored.rendered.buttons[0].code).toBe('123456');
    });

    test('on the endpoint for marketing templates, if the client has it', async () => {
      if (!client.sendMarketing) return;
      const offer = { name: 'spring_offer', language: 'en', body: ['Amina', 'SPRING15'] };
      const sent = await client.sendMarketing({
        to: '+15550001008',
        ...offer,
        headerImage: 'https://files.example.com/spring.jpg',
        urlButton: 'amina',
      });
      const stored = await network.message(taken(sent));
      expect(stored.category).toBe('MARKETING_LITE');
      const update = { name: 'order_update', language: 'en', body: ['Amina', '#7', 'Friday'] };
      expect(await client.sendMarketing({ to: '+15550001008', ...update })).toEqual({
        code: 134100,
      });
    });

    test('on the code of a refusal', async () => {
      const missing = { to: '+15550001005', name: 'no_such_template', language: 'en_US' };
      expect(await client.sendTemplate(missing)).toEqual({ code: 132001 });
      const short = { to: '+15550001005', name: 'order_update', language: 'en', body: ['Amina'] };
      expect(await client.sendTemplate(short)).toEqual({ code: 132000 });
      expect(await client.sendText({ to: '+12', body: 'Hello' })).toEqual({ code: 131009 });
    });

    test('on how a number is connected, if the client can', async () => {
      const { connecting } = client;
      if (!connecting) return;
      const { address, control } = network;
      expect(await connecting.inspectToken()).toEqual({
        appId: address.appId,
        scopes: ['whatsapp_business_management', 'whatsapp_business_messaging'],
      });
      expect(await connecting.listNumbers()).toEqual([address.phoneNumberId]);

      const url = `${address.callbackUrl}connected`;
      expect(await connecting.subscribe({ url, verifyToken: 'known' })).toBe(true);
      expect(await connecting.overrides()).toEqual([url]);
      const closed = { url: 'http://127.0.0.1:1/', verifyToken: 'known' };
      expect(await connecting.subscribe(closed)).toEqual({ code: 2200 });
      expect(await connecting.overrides()).toEqual([url]);

      await control('POST', '/simulator/numbers', {
        phone_number_id: address.phoneNumberId,
        registration: { status: 'PENDING', pin: '482913' },
      });
      const text = { to: '+15550001009', body: 'Hello' };
      expect(await client.sendText(text)).toEqual({ code: 133010 });
      expect(await connecting.register('000000')).toEqual({ code: 133005 });
      expect(await connecting.register('482913')).toBe(true);
      taken(await client.sendText(text));
    });

    test('on the whole list of templates', async () => {
      const templates = await client.listTemplates();
      const { templates: stored } = await network.control('GET', '/simulator/templates');
      const key = (one: ListedTemplate) => `${one.name} ${one.language} ${one.status}`;
      expect(templates.map(key).sort()).toEqual(stored.map(key).sort());
      expect(stored.length).toBeGreaterThan(100);
    });

    test('on which callbacks are genuine', async () => {
      const id = taken(await client.sendText({ to: '+15550001006', body: 'Été / 夏' }));
      const post = await eventuallyHolds(() => {
        const found = network.callbacks.find(({ raw }) => statusIds(raw).includes(id));
        if (!found) throw new Error('no callback yet');
        return found;
      });
      expect(await client.verifySignature(post.raw, post.signature)).toBe(true);
      const changed = Buffer.from(post.raw.toString().replace('sent', 'read'));
      expect(await client.verifySignature(changed, post.signature)).toBe(false);
    });

    test('on the signature of text outside ASCII', async () => {
      await network.control('POST', '/simulator/inbound', {
        phone_number_id: network.address.phoneNumberId,
        from: '+15550001007',
        profile_name: 'Zoë',
        text: 'سلام / 😀',
      });
      const post = await eventuallyHolds(() => {
        const found = network.callbacks.find(({ raw }) => raw.includes('15550001007'));
        if (!found) throw new Error('no callback yet');
        return found;
      });
      expect(await client.verifySignature(post.raw, post.signature)).toBe(true);
    });
  });
}

function taken(sent: Sent): string {
  if ('code' in sent) throw new Error(`the network refused with ${sent.code}`);
  return sent.id;
}

function statusIds(raw: Buffer): string[] {
  return JSON.parse(raw.toString())
    .entry.flatMap((entry: { changes: unknown[] }) => entry.changes)
    .flatMap((change: { value: { statuses?: { id: string }[] } }) => change.value.statuses ?? [])
    .map((status: { id: string }) => status.id);
}

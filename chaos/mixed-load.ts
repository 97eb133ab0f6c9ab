import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { wooHeaders } from '../test/features/stores.ts';

type Target = {
  /** The address of a load balancer in front of the service. */
  url: string;
  slug: string;
  tokens: string[];
  store: { webhookId: string; secret: string };
  simulatorUrl: string;
  phoneNumberId: string;
};

/** What was confirmed, by the id or phone by which it is found again. */
export type Confirmed = Record<'contacts' | 'posts' | 'inbound', Set<string>>;

/**
 * Creates contacts, posts customers as a store does, and writes to the number, each at a steady rate. A post that was
 * not confirmed is repeated, as stores do; the network repeats its own callbacks.
 *
 * @param perSecond of each kind
 */
export function startMixedLoad(target: Target, perSecond: number) {
  const dispatcher = new Agent({ allowH2: false });
  const confirmed: Confirmed = { contacts: new Set(), posts: new Set(), inbound: new Set() };
  const underWay = new Set<Promise<void>>();
  let count = 0;
  let stopped = false;

  async function post(url: string, body: string, headers: Record<string, string>) {
    const response = await request(url, {
      dispatcher,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
    const text = await response.body.text();
    return { status: response.statusCode, text };
  }

  async function createContact(index: number): Promise<void> {
    const token = target.tokens[index % target.tokens.length];
    const body = JSON.stringify({ firstname: 'Ada', phone: `+1212${5_550_000 + index}` });
    const headers = { authorization: `Bearer ${token}` };
    const made = await post(`${target.url}/api/${target.slug}/contacts`, body, headers);
    if (made.status === 200) confirmed.contacts.add(String(JSON.parse(made.text).data.id));
  }

  async function postCustomer(index: number): Promise<void> {
    const phone = `+1312${5_550_000 + index}`;
    const body = JSON.stringify({
      id: index,
      date_created_gmt: '2026-11-02T09:00:00',
      first_name: 'Ada',
      last_name: 'Lovelace',
      billing: { phone, country: 'US' },
    });
    const headers = wooHeaders('customer.created', body, target.store.secret);
    const url = `${target.url}/api/webhooks/${target.store.webhookId}`;
    while (!stopped) {
      const posted = await post(url, body, headers).catch(() => undefined);
      if (posted?.status === 200) {
        confirmed.posts.add(phone);
        return;
      }
      await sleep(2_000);
    }
  }

  async function writeToNumber(index: number): Promise<void> {
    const message = {
      phone_number_id: target.phoneNumberId,
      from: `+1412${5_550_000 + index}`,
      text: 'Hello',
    };
    const url = `${target.simulatorUrl}/simulator/inbound`;
    const { status, text } = await post(url, JSON.stringify(message), {});
    if (status === 200) confirmed.inbound.add(JSON.parse(text).message_id);
  }

  function begin(work: Promise<void>): void {
    const handled = work.catch(() => {});
    underWay.add(handled);
    void handled.finally(() => underWay.delete(handled));
  }

  async function run(): Promise<void> {
    while (!stopped) {
      const index = count++;
      begin(createContact(index));
      begin(postCustomer(index));
      begin(writeToNumber(index));
      await sleep(1_000 / perSecond);
    }
  }

  const running = run();
  return {
    confirmed,
    async stop(): Promise<void> {
      stopped = true;
      await running;
      while (underWay.size > 0) await Promise.all(underWay);
      await dispatcher.destroy();
    },
  };
}

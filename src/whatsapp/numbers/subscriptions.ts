import { type Access, type Credentials, type Graph, type LookUp, readLookUp } from '../graph.ts';
import { type Json, list, plainId, record, shortText, storable, string } from '../json.ts';
import { readSuccess } from './register-number.ts';

/**
 * The addresses for the callbacks of a number, by level; null for none. What happens to messages goes to the first that
 * there is: that of the number, of its account, or of the app. What happens to templates and accounts always goes to
 * that of the app.
 */
export type Addresses = { number: string | null; account: string | null; app: string | null };

/** An app that gets the callbacks of a business account. */
export type SubscribedApp = {
  appId: string;
  name: string | null;
  /** Where the callbacks of messages of all numbers of the account go in place of the app's own address; null for that address. */
  overrideUrl: string | null;
};

/** The app's own address, which gets what no override covers, and the fields that are reported at all. */
export type AppWebhook = { callbackUrl: string; fields: string[] };

/** An address for callbacks, and the token that it must know when the network asks it. */
export type CallbackTarget = { url: string; verifyToken: string };

/** An app, with the secret that proves to act for it. */
export type AppCredentials = { networkUrl: string; appId: string; appSecret: string };

/** The fields that Parley reads. */
export const wantedFields = [
  'messages',
  'message_template_status_update',
  'message_template_quality_update',
  'message_template_components_update',
  'template_category_update',
  'account_update',
  'account_review_update',
  'account_alerts',
  'user_id_update',
  // For numbers that are also in the WhatsApp Business app.
  'smb_message_echoes',
  'smb_app_state_sync',
  'history',
];

export function createSubscriptions(graph: Graph) {
  const ofAccount = (businessAccountId: string) =>
    `/${encodeURIComponent(businessAccountId)}/subscribed_apps`;
  const ofNumber = ({ phoneNumberId }: Credentials) => `/${encodeURIComponent(phoneNumberId)}`;
  const ofApp = (appId: string) => `/${encodeURIComponent(appId)}/subscriptions`;

  return {
    /** Lists the apps that get the callbacks of an account. */
    async listApps(access: Access, businessAccountId: string): Promise<LookUp<SubscribedApp[]>> {
      return readLookUp(await graph.call(access, 'GET', ofAccount(businessAccountId)), readApps);
    },

    /**
     * Subscribes the token's app to an account. If it is subscribed already, this removes the address of the account,
     * so that the app's own is used for the numbers without one.
     */
    async subscribeApp(access: Access, businessAccountId: string): Promise<LookUp<true>> {
      const result = await graph.call(access, 'POST', ofAccount(businessAccountId));
      // The response may also list the subscription.
      return readLookUp(result, (read) => readSuccess(read) ?? (read.data ? true : undefined));
    },

    /** Reads where the callbacks of a number go. */
    async readAddresses(number: Credentials): Promise<LookUp<Addresses>> {
      const path = `${ofNumber(number)}?fields=webhook_configuration`;
      return readLookUp(await graph.call(number, 'GET', path), readAddresses);
    },

    /**
     * Sets the address of one number, or removes it. The network calls the address before it responds.
     *
     * @param target null for none, so that the address of the account or the app is used
     */
    async setAddress(number: Credentials, target: CallbackTarget | null): Promise<LookUp<true>> {
      const webhook_configuration = target
        ? { override_callback_uri: target.url, verify_token: target.verifyToken }
        : { override_callback_uri: '' };
      const result = await graph.call(number, 'POST', ofNumber(number), { webhook_configuration });
      return readLookUp(result, readSuccess);
    },

    /** Reads the app's own webhook; null if it has none. */
    async readWebhook(app: AppCredentials): Promise<LookUp<AppWebhook | null>> {
      return readLookUp(await graph.call(accessOf(app), 'GET', ofApp(app.appId)), readWebhook);
    },

    /** Sets the app's own webhook, for all accounts to which it is subscribed. The network calls the address before it responds. */
    async setWebhook(
      app: AppCredentials,
      { url, verifyToken }: CallbackTarget,
    ): Promise<LookUp<true>> {
      const body = {
        object: ofWhatsApp,
        callback_url: url,
        verify_token: verifyToken,
        fields: wantedFields,
      };
      const result = await graph.call(accessOf(app), 'POST', ofApp(app.appId), body);
      return readLookUp(result, readSuccess);
    },
  };
}

const ofWhatsApp = 'whatsapp_business_account';

/** The network's token for calls of an app about itself. */
function accessOf({ networkUrl, appId, appSecret }: AppCredentials): Access {
  return { networkUrl, accessToken: `${appId}|${appSecret}` };
}

function readApps(body: Json): SubscribedApp[] | undefined {
  if (!Array.isArray(body.data)) return undefined;
  return body.data.map(record).flatMap((entry) => {
    const app = record(entry?.whatsapp_business_api_data);
    const appId = plainId(app?.id);
    if (!appId) return [];
    return {
      appId,
      name: shortText(app?.name),
      overrideUrl: readUrl(entry?.override_callback_uri),
    };
  });
}

/** Reads the addresses of a number. A level without one is left out, and so may be the whole. */
export function readAddresses({ webhook_configuration }: Json): Addresses {
  const levels = record(webhook_configuration);
  return {
    number: readUrl(levels?.phone_number),
    account: readUrl(levels?.whatsapp_business_account),
    app: readUrl(levels?.application),
  };
}

function readUrl(value: unknown): string | null {
  const url = string(value);
  return url ? storable(url.slice(0, 300)) : null;
}

function readWebhook(body: Json): AppWebhook | null | undefined {
  if (!Array.isArray(body.data)) return undefined;
  const webhook = body.data.map(record).find((entry) => entry?.object === ofWhatsApp);
  const callbackUrl = readUrl(webhook?.callback_url);
  if (!callbackUrl) return null;
  const fields = list(webhook?.fields).flatMap((field) => {
    const name = string(field) ?? string(record(field)?.name);
    return name ?? [];
  });
  return { callbackUrl, fields };
}

import { type Access, type Graph, type LookUp, readLookUp } from '../graph.ts';
import { type Json, list, plainId, record, shortText, storable, string } from '../json.ts';
import { readSuccess } from './register-number.ts';

/** An app that gets the callbacks of a business account. */
export type SubscribedApp = {
  appId: string;
  name: string | null;
  /** Where the callbacks of messages go in place of the app's own address; null for that address. */
  overrideUrl: string | null;
};

/** The app's own address, which gets what no override covers, and the fields that are reported at all. */
export type AppWebhook = { callbackUrl: string; fields: string[] };

/** An address for callbacks, and the token that it must know when the network asks it. */
export type CallbackTarget = { url: string; verifyToken: string };

/** An app, with the secret that proves to act for it. */
export type AppCredentials = { networkUrl: string; appId: string; appSecret: string };

/**
 * The fields that Parley reads. An override covers messages only: what happens to templates and accounts is reported to
 * the app's own address.
 */
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
  const ofApp = (appId: string) => `/${encodeURIComponent(appId)}/subscriptions`;

  return {
    /** Lists the apps that get the callbacks of an account. */
    async listApps(access: Access, businessAccountId: string): Promise<LookUp<SubscribedApp[]>> {
      return readLookUp(await graph.call(access, 'GET', ofAccount(businessAccountId)), readApps);
    },

    /**
     * Subscribes the token's app to an account, with an address for its messages. The network calls the address
     * before it responds.
     */
    async subscribeApp(
      access: Access,
      businessAccountId: string,
      { url, verifyToken }: CallbackTarget,
    ): Promise<LookUp<true>> {
      const body = { override_callback_uri: url, verify_token: verifyToken };
      const result = await graph.call(access, 'POST', ofAccount(businessAccountId), body);
      // The response may also list the subscription.
      return readLookUp(result, (read) => readSuccess(read) ?? (read.data ? true : undefined));
    },

    /** Reads the app's own webhook; null if it has none. */
    async readWebhook(app: AppCredentials): Promise<LookUp<AppWebhook | null>> {
      return readLookUp(await graph.call(accessOf(app), 'GET', ofApp(app.appId)), readWebhook);
    },

    /** Sets the app's own webhook. The network calls the address before it responds. */
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
    const url = string(entry?.override_callback_uri);
    return {
      appId,
      name: shortText(app?.name),
      overrideUrl: url ? storable(url.slice(0, 300)) : null,
    };
  });
}

function readWebhook(body: Json): AppWebhook | null | undefined {
  if (!Array.isArray(body.data)) return undefined;
  const webhook = body.data.map(record).find((entry) => entry?.object === ofWhatsApp);
  const url = string(webhook?.callback_url);
  if (!url) return null;
  const fields = list(webhook?.fields).flatMap((field) => {
    const name = string(field) ?? string(record(field)?.name);
    return name ?? [];
  });
  return { callbackUrl: storable(url.slice(0, 300)), fields };
}

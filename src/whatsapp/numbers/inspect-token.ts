import { type Access, type Graph, type LookUp, readLookUp } from '../graph.ts';
import { type Json, list, plainId, record, storable, string } from '../json.ts';

/** The network's report on an access token. */
export type TokenDetails = {
  isValid: boolean;
  /** The app to which the token belongs. */
  appId: string;
  scopes: string[];
  /** Null for never. */
  expiresAt: Date | null;
  /** The business accounts that the token may use; undefined if the network does not list them. */
  accountIds: string[] | undefined;
};

/** The scopes that a token needs, with what fails without them. */
export const neededScopes = {
  whatsapp_business_messaging: 'send messages',
  whatsapp_business_management: 'read templates and set up the callbacks',
} as const;

/** Asks the network what an access token allows. A token may always inspect itself. */
export async function inspectToken(graph: Graph, access: Access): Promise<LookUp<TokenDetails>> {
  const query = new URLSearchParams({ input_token: access.accessToken });
  return readLookUp(await graph.call(access, 'GET', `/debug_token?${query}`), readToken);
}

function readToken(body: Json): TokenDetails | undefined {
  const data = record(body.data);
  const appId = plainId(data?.app_id);
  if (!data || !appId) return undefined;
  const expiresAt = data.expires_at;
  return {
    appId,
    isValid: data.is_valid !== false,
    scopes: list(data.scopes).flatMap((scope) => string(scope) ?? []),
    expiresAt:
      typeof expiresAt === 'number' && expiresAt > 0 && expiresAt < maxSeconds
        ? new Date(expiresAt * 1_000)
        : null,
    accountIds: readAccounts(list(data.granular_scopes).map(record)),
  };
}

/** The latest time of a JavaScript date. */
const maxSeconds = 8.64e12;

/** Reads the accounts of the WhatsApp scopes. A scope without a list holds for every account. */
function readAccounts(scopes: (Json | undefined)[]): string[] | undefined {
  const ofWhatsApp = scopes.filter((each) =>
    Object.hasOwn(neededScopes, string(each?.scope) ?? ''),
  );
  const ids = ofWhatsApp.map((each) => each?.target_ids);
  if (ids.length === 0 || !ids.every(Array.isArray)) return undefined;
  return [
    ...new Set(
      ids
        .flat()
        .flatMap((id) => plainId(id) ?? [])
        .map(storable),
    ),
  ];
}

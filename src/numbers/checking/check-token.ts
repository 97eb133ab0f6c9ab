import { isTokenRefusal, refusalMessage } from '../../whatsapp/errors.ts';
import type { LookUp } from '../../whatsapp/graph.ts';
import { neededScopes, type TokenDetails } from '../../whatsapp/inspect-token.ts';
import { type Check, failed, passed } from './check.ts';

const newToken =
  'In Meta’s Business settings, under System users, generate a token that never expires with whatsapp_business_messaging and whatsapp_business_management, and connect the number again with it.';

/**
 * Explains what is wrong with an access token; undefined if nothing is, or if the network does not say.
 *
 * @param isProven whether messages arrive already, for which a token that may only send is enough
 */
export function tokenProblem(
  lookUp: LookUp<TokenDetails>,
  { isProven = false }: { isProven?: boolean } = {},
): string | undefined {
  if (lookUp.outcome === 'unreachable') return undefined;
  if (lookUp.outcome === 'refused') {
    if (lookUp.error.code === 190 && lookUp.error.subcode === 463) {
      return `The access token has expired: ${lookUp.error.title}`;
    }
    const message = refusalMessage(lookUp.error);
    return isTokenRefusal(message) ? `${message}.` : undefined;
  }
  const { isValid, scopes, expiresAt } = lookUp.value;
  if (expiresAt && expiresAt.getTime() <= Date.now()) {
    return `The access token expired on ${day(expiresAt)}.`;
  }
  if (!isValid) return 'The access token is not valid any more.';
  const missing = Object.entries(neededScopes).filter(([scope]) => !scopes.includes(scope));
  const lacking = isProven
    ? missing.filter(([scope]) => scope === 'whatsapp_business_messaging')
    : missing;
  if (lacking.length === 0) return undefined;
  const reasons = lacking.map(([scope, use]) => `${scope}, without which Parley cannot ${use}`);
  return `The access token lacks ${reasons.join(', and ')}.`;
}

/** Checks an access token, and whether it may use the account of its number. */
export function checkToken(
  lookUp: LookUp<TokenDetails>,
  businessAccountId: string,
  { isProven }: { isProven: boolean },
): Check {
  const problem = tokenProblem(lookUp, { isProven });
  if (problem !== undefined) return failed('token', problem, newToken);
  if (lookUp.outcome !== 'found') {
    return passed('token', 'The network did not say what the access token may do.');
  }
  const { accountIds, expiresAt } = lookUp.value;
  if (accountIds && !accountIds.includes(businessAccountId)) {
    return failed(
      'token',
      `The access token may not use the business account ${businessAccountId}. It may use ${accountIds.join(', ') || 'none'}.`,
      'Give the system user the WhatsApp account with full control and generate a new token, or connect the number with the right account.',
    );
  }
  const end = expiresAt
    ? `expires on ${day(expiresAt)}; one of a system user can last`
    : 'never expires';
  return passed('token', `The access token is valid and ${end}.`);
}

function day(date: Date): string {
  return date.toISOString().slice(0, 10);
}

import { type Fault, fault } from '../../platform/errors/fault.ts';
import { isTokenRefusal, refusalSentence } from '../../whatsapp/errors.ts';
import type { LookUp } from '../../whatsapp/graph.ts';
import { neededScopes, type TokenDetails } from '../../whatsapp/numbers/inspect-token.ts';
import { type Check, failed, passed } from './check.ts';

const newToken = fault(
  'generate_token',
  'In Meta’s Business settings, under System users, generate a token that never expires with whatsapp_business_messaging and whatsapp_business_management, and connect the number again with it.',
);

/**
 * Explains what is wrong with an access token; undefined if nothing is, or if the network does not say.
 *
 * @param isProven whether messages arrive already, for which a token that may only send is enough
 */
export function tokenProblem(
  lookUp: LookUp<TokenDetails>,
  { isProven = false }: { isProven?: boolean } = {},
): Fault | undefined {
  if (lookUp.outcome === 'unreachable') return undefined;
  if (lookUp.outcome === 'refused') {
    if (lookUp.error.code === 190 && lookUp.error.subcode === 463) {
      return fault('token_has_expired', 'The access token has expired: {why}', {
        why: lookUp.error.title,
      });
    }
    const refused = refusalSentence(lookUp.error);
    return isTokenRefusal(refused.text) ? refused : undefined;
  }
  const { isValid, scopes, expiresAt } = lookUp.value;
  if (expiresAt && expiresAt.getTime() <= Date.now()) {
    return fault('token_expired', 'The access token expired on {day}.', { day: day(expiresAt) });
  }
  if (!isValid) return fault('token_not_valid', 'The access token is not valid any more.');
  const missing = Object.entries(neededScopes).filter(([scope]) => !scopes.includes(scope));
  const lacking = isProven
    ? missing.filter(([scope]) => scope === 'whatsapp_business_messaging')
    : missing;
  if (lacking.length === 0) return undefined;
  const reasons = lacking.map(([scope, use]) => `${scope}, without which Parley cannot ${use}`);
  return fault('token_lacks_scope', `The access token lacks ${reasons.join(', and ')}.`, {
    scopes: lacking.length > 1 ? 'both' : lacking[0]![0],
  });
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
    return passed(
      'token',
      fault('token_not_known', 'The network did not say what the access token may do.'),
    );
  }
  const { accountIds, expiresAt } = lookUp.value;
  if (accountIds && !accountIds.includes(businessAccountId)) {
    return failed(
      'token',
      accountIds.length > 0
        ? fault(
            'account_not_allowed',
            'The access token may not use the business account {account}. It may use {known}.',
            { account: businessAccountId, known: accountIds.join(', ') },
          )
        : fault(
            'no_account_allowed',
            'The access token may not use the business account {account}. It may use none.',
            { account: businessAccountId },
          ),
      fault(
        'give_account',
        'Give the system user the WhatsApp account with full control and generate a new token, or connect the number with the right account.',
      ),
    );
  }
  if (!expiresAt) {
    return passed('token', fault('token_valid', 'The access token is valid and never expires.'));
  }
  const found = fault(
    'token_valid_until',
    'The access token is valid and expires on {day}; one of a system user can last.',
    { day: day(expiresAt) },
  );
  return { ...passed('token', found), expires_at: expiresAt.toISOString() };
}

function day(date: Date): string {
  return date.toISOString().slice(0, 10);
}

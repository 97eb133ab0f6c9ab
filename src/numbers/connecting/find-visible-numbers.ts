import { ApiError, invalid } from '../../platform/errors/api-error.ts';
import { networkSilent } from '../../platform/errors/common-faults.ts';
import { type Fault, fault } from '../../platform/errors/fault.ts';
import type { Services } from '../../services.ts';
import { refusalFault, refusalMessage } from '../../whatsapp/errors.ts';
import type { AccountNumber } from '../../whatsapp/numbers/list-account-numbers.ts';
import { tokenProblem } from '../checking/check-token.ts';

/** More than a token of one business has; each is one call of the network. */
const maxAccounts = 50;

/**
 * Lists the numbers that an access token can see, after checking the token.
 *
 * @param given.businessAccountId limits the list to one account; needed if the network does not say which accounts the
 *   token may use
 * @throws ApiError 422 if the token, the secret or the account is wrong; 500 if the network does not respond
 */
export async function findVisibleNumbers(
  { network, networkUrl }: Pick<Services, 'network' | 'networkUrl'>,
  {
    accessToken,
    appSecret,
    businessAccountId,
  }: { accessToken: string; appSecret: string; businessAccountId?: string | undefined },
): Promise<AccountNumber[]> {
  const access = { networkUrl, accessToken };
  const token = await network.inspectToken(access);
  if (token.outcome === 'unreachable') throw unreachable(token.cause);
  const problem = tokenProblem(token);
  if (problem) throw refuse('access_token', problem);
  if (token.outcome === 'refused') {
    throw refuse(
      'access_token',
      refusalFault(
        token.error,
        `The network does not say what the token may do: ${refusalMessage(token.error)}.`,
      ),
    );
  }
  const { appId, accountIds } = token.value;
  const webhook = await network.subscriptions.readWebhook({ networkUrl, appId, appSecret });
  if (webhook.outcome === 'refused' && webhook.error.code === 190) {
    throw refuse(
      'app_secret',
      fault(
        'wrong_app_secret',
        'The app secret is not that of the app {app}, to which the access token belongs. Copy it from that app: App settings > Basic.',
        { app: appId },
      ),
    );
  }
  if (businessAccountId !== undefined && accountIds && !accountIds.includes(businessAccountId)) {
    throw refuse(
      'business_account_id',
      fault(
        'account_not_of_token',
        'The access token may not use this account. It may use {known}.',
        { known: accountIds.join(', ') || 'none' },
      ),
    );
  }
  const accounts = businessAccountId !== undefined ? [businessAccountId] : accountIds;
  if (!accounts) {
    throw refuse(
      'business_account_id',
      fault(
        'account_needed',
        'The network does not say which accounts the token may use. Give the id of the WhatsApp business account.',
      ),
    );
  }
  const found: AccountNumber[] = [];
  for (const account of accounts.slice(0, maxAccounts)) {
    const listed = await network.listAccountNumbers(access, account);
    if (listed.outcome === 'unreachable') throw unreachable(listed.cause);
    if (listed.outcome === 'found') found.push(...listed.value);
    else if (accounts.length === 1) {
      throw refuse(
        businessAccountId === undefined ? 'access_token' : 'business_account_id',
        refusalFault(
          listed.error,
          `The network refuses to list the numbers of the account ${account}: ${refusalMessage(listed.error)}.`,
        ),
      );
    }
  }
  if (found.length === 0) {
    throw refuse(
      'access_token',
      fault(
        'no_visible_number',
        'The token sees no number. Give its system user the WhatsApp account that has the number.',
      ),
    );
  }
  return found;
}

function refuse(field: string, found: Fault): ApiError {
  return invalid({ [field]: [found] });
}

function unreachable(cause: unknown): ApiError {
  return new ApiError('server_error', {
    message: networkSilent,
    publicCode: 'network_unavailable',
    retryAfterSeconds: 30,
    cause,
  });
}

import { type Command, Option } from 'commander';
import { whyUnreachable } from '../../../numbers/checking/callbacks/unreachable-address.ts';
import type { Check } from '../../../numbers/checking/check.ts';
import { connectAndCheck } from '../../../numbers/connecting/connect-and-check.ts';
import type { ConnectedRow } from '../../../numbers/connecting/connect-number.ts';
import { connectSimulatedNumber } from '../../../numbers/connecting/connect-simulated-number.ts';
import { presentVisible } from '../../../numbers/connecting/present-visible-number.ts';
import { createNumberFinder } from '../../../numbers/find-number.ts';
import { presentNumber, takeover } from '../../../numbers/present-number.ts';
import { listNumbers } from '../../../numbers/queries.ts';
import { describeState } from '../../../numbers/state/number-state.ts';
import type { Services } from '../../../services.ts';
import { syncTemplates } from '../../../templates/syncing/sync-templates.ts';
import {
  CommandError,
  type CommandServices,
  errorLine,
  type Output,
  readSecretFile,
  table,
  tenantBySlug,
  withServices,
} from '../../command.ts';
import {
  addCheckingOptions,
  type CheckingOptions,
  describeChecks,
  describeNext,
  readCheckingOptions,
  waitForMessage,
} from './number-checks.ts';

type ConnectOptions = CheckingOptions & {
  phoneNumberId?: string;
  businessAccountId?: string;
  accessTokenFile?: string;
  appSecretFile?: string;
  simulator?: boolean;
};

export function connectCommand(number: Command): void {
  const command = number
    .command('connect')
    .description('Connect a number, or change the secrets of a connected one.')
    .argument('<tenant>')
    .option('--access-token-file <file>', 'a file with the access token; - for standard input')
    .option('--app-secret-file <file>', 'a file with the secret of the app that signs callbacks')
    .option('--phone-number-id <id>', 'the network’s id of the number, if the token sees several')
    .option('--business-account-id <id>', 'the id of its WhatsApp business account')
    .addOption(
      new Option('--simulator', 'a simulated number, while `parley demo` runs').conflicts([
        'phoneNumberId',
        'accessTokenFile',
        'appSecretFile',
        'pinFile',
        'takeOver',
      ]),
    );
  withServices(
    addCheckingOptions(command),
    async (services, slug: string, options: ConnectOptions): Promise<Output> => {
      const tenant = await tenantBySlug(services, slug);
      if (options.simulator) {
        const connected = await connectSimulatedNumber(
          requireSimulator(services),
          tenant.id,
          options.businessAccountId,
        );
        return report(services, slug, { connected, checks: [] }, options);
      }
      const given = await readOptions(options);
      warnOfAddress(services);
      const result = await connectAndCheck(
        { ...services, numbers: createNumberFinder(services) },
        tenant.id,
        given,
        await readCheckingOptions(options),
      );
      if (!('choices' in result)) return report(services, slug, result, options);
      const numbers = result.choices.map(presentVisible);
      return {
        json: { number: null, numbers },
        text: table(
          ['PHONE NUMBER ID', 'PHONE', 'NAME', 'BUSINESS ACCOUNT ID'],
          numbers.map((each) => [
            each.phone_number_id,
            each.display_phone_number ?? '',
            each.verified_name ?? '',
            each.business_account_id,
          ]),
        ),
        failure:
          options.phoneNumberId === undefined
            ? `The token sees ${numbers.length} numbers, so none was connected. Choose one with --phone-number-id.`
            : `The token does not see the number ${options.phoneNumberId}, so none was connected.`,
      };
    },
  );
}

/** Said before the network is called, which may take long. */
function warnOfAddress({ config }: Services): void {
  const why = whyUnreachable(config);
  if (why === undefined) return;
  process.stderr.write(
    `${why.url} is ${why.what}, which WhatsApp cannot reach from the internet. Set PARLEY_BASE_URL to an address that it can.\n`,
  );
}

async function report(
  services: CommandServices,
  slug: string,
  { connected, checks }: { connected: ConnectedRow; checks: Check[] },
  options: ConnectOptions,
): Promise<Output> {
  const { config, db } = services;
  const templates = await fetchTemplates(services, connected.tenant_id);
  const find = async () => {
    const rows = await listNumbers(db, connected.tenant_id);
    return { ...connected, ...rows.find(({ id }) => id === connected.id) };
  };
  const row = await waitForMessage(services, find, options);
  const shown = presentNumber(config, { ...row, is_default: connected.is_default });
  return {
    json: { number: shown, ...shown, templates, checks },
    text: [
      [`Connected number ${shown.phone_number_id} to ${slug}.`, ...takeover(connected)].join(' '),
      ...describeChecks(checks),
      'problem' in templates
        ? `Templates      ${templates.problem} They are fetched again in the background.`
        : `Templates      ${templates.approved} of ${templates.templates} approved`,
      ...(needsHand(checks)
        ? [
            `Callback URL   ${shown.callback_url}`,
            `Verify token   ${shown.verify_token}`,
            'If the callbacks cannot be set up from here, enter both in the app’s WhatsApp configuration and subscribe to "messages".',
          ]
        : []),
      shown.state === 'does_not_work' ? describeState(shown) : describeNext(row, shown.state),
    ].join('\n'),
  };
}

/** Whether the callbacks are not set up, so that they may have to be entered by hand. */
function needsHand(checks: Check[]): boolean {
  const names = ['callbacks', 'held_callbacks', 'fields', 'address', 'network', 'token'];
  return checks.some(({ name, ok }) => !ok && names.includes(name));
}

function requireSimulator(services: Services): Services & { simulatorUrl: string } {
  const { simulatorUrl } = services;
  if (simulatorUrl === undefined) {
    throw new CommandError(
      'The simulator runs only with `parley demo`. Start the demo, then connect the number.',
    );
  }
  return { ...services, simulatorUrl };
}

/** Fetches the templates. If this fails, the number is still connected. */
async function fetchTemplates(services: Services, tenantId: number) {
  return syncTemplates(services, tenantId).catch((error) => ({ problem: errorLine(error) }));
}

async function readOptions(options: ConnectOptions) {
  const { phoneNumberId, businessAccountId, accessTokenFile, appSecretFile } = options;
  if (!accessTokenFile || !appSecretFile) {
    throw new CommandError('Give --access-token-file and --app-secret-file; or --simulator.');
  }
  return {
    phoneNumberId,
    businessAccountId,
    accessToken: await readSecretFile(accessTokenFile),
    appSecret: await readSecretFile(appSecretFile),
  };
}

import { type Command, Option } from 'commander';
import { connectNumber } from '../../numbers/connect-number.ts';
import { connectSimulatedNumber } from '../../numbers/connect-simulated-number.ts';
import { chooseDefaultNumber, withDefault } from '../../numbers/default-number.ts';
import { disconnectNumber } from '../../numbers/disconnect-number.ts';
import { nameOf, presentNumber, takeover } from '../../numbers/present-number.ts';
import { listNumbers, setMarketingEndpoint } from '../../numbers/queries.ts';
import type { Services } from '../../services.ts';
import { syncTemplates } from '../../templates/syncing/sync-templates.ts';
import {
  CommandError,
  errorLine,
  readSecretFile,
  table,
  tenantBySlug,
  withServices,
} from '../command.ts';

type ConnectOptions = {
  phoneNumberId?: string;
  businessAccountId?: string;
  accessTokenFile?: string;
  appSecretFile?: string;
  simulator?: boolean;
};

export function numberCommands(program: Command): void {
  const number = program.command('number').description('Connect WhatsApp numbers to a tenant.');

  withServices(
    number
      .command('connect')
      .description('Connect a number, or change the secrets of a connected one.')
      .argument('<tenant>')
      .option('--phone-number-id <id>', 'the network’s id of the number')
      .option('--business-account-id <id>', 'the id of its WhatsApp business account')
      .option('--access-token-file <file>', 'a file with the access token; - for standard input')
      .option('--app-secret-file <file>', 'a file with the secret of the app that signs callbacks')
      .addOption(
        new Option('--simulator', 'a simulated number, while `parley demo` runs').conflicts([
          'phoneNumberId',
          'accessTokenFile',
          'appSecretFile',
        ]),
      ),
    async (services, slug: string, options: ConnectOptions) => {
      const tenant = await tenantBySlug(services, slug);
      const connected = options.simulator
        ? await connectSimulatedNumber(
            requireSimulator(services),
            tenant.id,
            options.businessAccountId,
          )
        : await connectNumber(services, tenant.id, await readOptions(options));
      const shown = presentNumber(services.config, connected);
      const templates = await fetchTemplates(services, tenant.id);
      return {
        json: { number: shown, ...shown, templates },
        text: [
          [`Connected number ${shown.phone_number_id} to ${slug}.`, ...takeover(connected)].join(
            ' ',
          ),
          `Callback URL   ${shown.callback_url}`,
          `Verify token   ${shown.verify_token}`,
          'problem' in templates
            ? `Templates      ${templates.problem} They are fetched again in the background.`
            : `Templates      ${templates.approved} of ${templates.templates} approved`,
          ...(options.simulator
            ? []
            : ['Enter both in the app’s WhatsApp configuration and subscribe to "messages".']),
        ].join('\n'),
      };
    },
  );

  withServices(
    number.command('list').description('List the numbers of a tenant.').argument('<tenant>'),
    async (services, slug: string) => {
      const tenant = await tenantBySlug(services, slug);
      const numbers = withDefault(await listNumbers(services.db, tenant.id)).map((row) =>
        presentNumber(services.config, row),
      );
      return {
        json: { numbers },
        text: table(
          ['PHONE NUMBER ID', 'PHONE', 'DEFAULT', 'CALLBACK URL', 'VERIFY TOKEN', 'PROBLEM'],
          numbers.map((each) => [
            each.phone_number_id,
            each.display_phone_number ?? '',
            each.default ? 'yes' : '',
            each.callback_url,
            each.verify_token,
            each.problem ?? '',
          ]),
        ),
      };
    },
  );

  setDefault(number);
  change(number);

  withServices(
    number
      .command('disconnect')
      .description('Disconnect a number and delete its secrets. Its messages stay.')
      .argument('<tenant>')
      .argument('<phone-number-id>'),
    async (services, slug: string, phoneNumberId: string) => {
      const tenant = await tenantBySlug(services, slug);
      const before = withDefault(await listNumbers(services.db, tenant.id));
      const left = await disconnectNumber(services.db, tenant.id, phoneNumberId);
      if (!left) throw notConnected(slug, phoneNumberId);
      const wasDefault = before.some(
        (each) => each.is_default && each.phone_number_id === phoneNumberId,
      );
      const next = wasDefault && left.defaultNumber;
      return {
        json: { disconnected: phoneNumberId, default: left.defaultNumber?.phone_number_id ?? null },
        text: `Disconnected ${phoneNumberId}.${next ? ` Messages are now sent from ${nameOf(next)}.` : ''}`,
      };
    },
  );
}

function setDefault(number: Command): void {
  withServices(
    number
      .command('set-default')
      .description('Choose the number that sends to people without earlier messages.')
      .argument('<tenant>')
      .argument('<phone-number-id>'),
    async (services, slug: string, phoneNumberId: string) => {
      const tenant = await tenantBySlug(services, slug);
      const chosen = await chooseDefaultNumber(services.db, tenant.id, phoneNumberId);
      if (!chosen) throw notConnected(slug, phoneNumberId);
      return {
        json: { number: presentNumber(services.config, chosen) },
        text: `Messages are now sent from ${nameOf(chosen)}. People with earlier messages hear from the number of the latest one.`,
      };
    },
  );
}

function change(number: Command): void {
  withServices(
    number
      .command('set')
      .description('Change the settings of a number.')
      .argument('<tenant>')
      .argument('<phone-number-id>')
      .addOption(
        new Option(
          '--marketing-endpoint <on|off>',
          'send marketing templates through the network’s endpoint for them',
        )
          .choices(['on', 'off'])
          .makeOptionMandatory(),
      ),
    async (
      services,
      slug: string,
      phoneNumberId: string,
      options: { marketingEndpoint: 'on' | 'off' },
    ) => {
      const tenant = await tenantBySlug(services, slug);
      const rows = withDefault(await listNumbers(services.db, tenant.id));
      const found = rows.find((each) => each.phone_number_id === phoneNumberId);
      if (!found) throw notConnected(slug, phoneNumberId);
      const isOn = options.marketingEndpoint === 'on';
      await setMarketingEndpoint(services.db, tenant.id, found.id, isOn);
      return {
        json: { number: presentNumber(services.config, { ...found, marketing_endpoint: isOn }) },
        text: isOn
          ? `Marketing templates of ${nameOf(found)} now go to the marketing endpoint.`
          : `Marketing templates of ${nameOf(found)} now go to the endpoint of all messages.`,
      };
    },
  );
}

function notConnected(slug: string, phoneNumberId: string): CommandError {
  return new CommandError(`${slug} has no connected number ${phoneNumberId}.`);
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
  if (!phoneNumberId || !businessAccountId || !accessTokenFile || !appSecretFile) {
    throw new CommandError(
      'Give --phone-number-id, --business-account-id, --access-token-file and --app-secret-file; or --simulator.',
    );
  }
  return {
    phoneNumberId,
    businessAccountId,
    accessToken: await readSecretFile(accessTokenFile),
    appSecret: await readSecretFile(appSecretFile),
  };
}

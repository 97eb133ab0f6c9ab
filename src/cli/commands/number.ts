import { type Command, Option } from 'commander';
import { connectNumber } from '../../numbers/connect-number.ts';
import { connectSimulatedNumber } from '../../numbers/connect-simulated-number.ts';
import { presentNumber } from '../../numbers/present-number.ts';
import { disconnectNumber, listNumbers } from '../../numbers/queries.ts';
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
          'businessAccountId',
          'accessTokenFile',
          'appSecretFile',
        ]),
      ),
    async (services, slug: string, options: ConnectOptions) => {
      const tenant = await tenantBySlug(services, slug);
      const connected = options.simulator
        ? await connectSimulatedNumber(requireSimulator(services), tenant.id)
        : await connectNumber(services, tenant.id, await readOptions(options));
      const shown = presentNumber(services.config, connected);
      const templates = await fetchTemplates(services, tenant.id);
      return {
        json: { number: shown, ...shown, templates },
        text: [
          `Connected number ${shown.phone_number_id} to ${slug}.`,
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
      const numbers = (await listNumbers(services.db, tenant.id)).map((row) =>
        presentNumber(services.config, row),
      );
      return {
        json: { numbers },
        text: table(
          ['PHONE NUMBER ID', 'PHONE', 'CALLBACK URL', 'VERIFY TOKEN', 'PROBLEM'],
          numbers.map((each) => [
            each.phone_number_id,
            each.display_phone_number ?? '',
            each.callback_url,
            each.verify_token,
            each.problem ?? '',
          ]),
        ),
      };
    },
  );

  withServices(
    number
      .command('disconnect')
      .description('Disconnect a number and delete its secrets. Its messages stay.')
      .argument('<tenant>')
      .argument('<phone-number-id>'),
    async (services, slug: string, phoneNumberId: string) => {
      const tenant = await tenantBySlug(services, slug);
      if (!(await disconnectNumber(services.db, tenant.id, phoneNumberId))) {
        throw new CommandError(`${slug} has no connected number ${phoneNumberId}.`);
      }
      return { json: { disconnected: phoneNumberId }, text: `Disconnected ${phoneNumberId}.` };
    },
  );
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

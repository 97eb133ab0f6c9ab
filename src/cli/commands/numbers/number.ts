import { type Command, Option } from 'commander';
import { changeMarketingEndpoint } from '../../../numbers/change-marketing-endpoint.ts';
import {
  type CallbacksNow,
  disconnectAndGiveBack,
} from '../../../numbers/connecting/give-callbacks-back.ts';
import { chooseDefaultNumber, withDefault } from '../../../numbers/default-number.ts';
import { createNumberFinder } from '../../../numbers/find-number.ts';
import { nameOf } from '../../../numbers/name-of.ts';
import { presentNumber } from '../../../numbers/present-number.ts';
import { listNumbers } from '../../../numbers/queries.ts';
import type { NumberState } from '../../../numbers/state/number-state.ts';
import { CommandError, table, tenantBySlug, withServices } from '../../command.ts';
import { verifyCommand } from './number-checks.ts';
import { connectCommand } from './number-connect.ts';

const stateNames: Record<NumberState, string> = {
  works: 'works',
  not_verified: 'not verified yet',
  does_not_work: 'does not work',
};

export function numberCommands(program: Command): void {
  const number = program.command('number').description('Connect WhatsApp numbers to a tenant.');

  connectCommand(number);
  verifyCommand(number);

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
          [
            'PHONE NUMBER ID',
            'PHONE',
            'DEFAULT',
            'STATE',
            'CALLBACK URL',
            'VERIFY TOKEN',
            'PROBLEM',
          ],
          numbers.map((each) => [
            each.phone_number_id,
            each.display_phone_number ?? '',
            each.default ? 'yes' : '',
            stateNames[each.state],
            each.callback_url,
            each.verify_token,
            each.problem ?? each.faults[0]?.found ?? '',
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
      const left = await disconnectAndGiveBack(
        services,
        createNumberFinder(services),
        tenant.id,
        phoneNumberId,
      );
      if (!left) throw notConnected(slug, phoneNumberId);
      const wasDefault = before.some(
        (each) => each.is_default && each.phone_number_id === phoneNumberId,
      );
      const next = wasDefault && left.defaultNumber;
      return {
        json: {
          disconnected: phoneNumberId,
          default: left.defaultNumber?.phone_number_id ?? null,
          callbacks: left.callbacks,
        },
        text: [
          `Disconnected ${phoneNumberId}.`,
          ...(next ? [`Messages are now sent from ${nameOf(next)}.`] : []),
          describeCallbacks(left.callbacks),
        ].join(' '),
      };
    },
  );
}

function describeCallbacks({ to, url }: CallbacksNow): string {
  if (to === 'other_program') return `WhatsApp reports its messages to ${url} now.`;
  if (to === 'nobody') {
    return 'WhatsApp reports its messages to nobody now: the app has no callback URL of its own.';
  }
  return to === 'parley'
    ? `WhatsApp still reports its messages to ${url}, where they are lost. Set another callback URL in Meta’s app dashboard.`
    : 'The network did not say where it reports its messages now. If the callback URL is still one of Parley, they are lost: set another one in Meta’s app dashboard.';
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
      await changeMarketingEndpoint(services.db, tenant.id, found.id, isOn);
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

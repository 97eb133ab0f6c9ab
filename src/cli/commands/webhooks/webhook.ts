import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { fault } from '../../../platform/errors/fault.ts';
import type { Services } from '../../../services.ts';
import type { Endpoint } from '../../../webhooks/endpoint-key.ts';
import { changeEndpoint } from '../../../webhooks/endpoints/change-endpoint.ts';
import { pauseEndpoint, switchEndpointOff } from '../../../webhooks/endpoints/pause-endpoint.ts';
import { listDeliveries } from '../../../webhooks/log/delivery-log-queries.ts';
import { presentDeliveries } from '../../../webhooks/log/present-deliveries.ts';
import { describeQuota, presentQuota } from '../../../webhooks/quota/present-quota.ts';
import { quotaOf } from '../../../webhooks/quota/quota.ts';
import { findQuota } from '../../../webhooks/quota/quota-queries.ts';
import { rotateSecret } from '../../../webhooks/secrets/rotate-secret.ts';
import { sendTestEvent } from '../../../webhooks/send-test-event.ts';
import { setWebhook } from '../../../webhooks/set-webhook.ts';
import { CommandError, tenantBySlug, withServices } from '../../command.ts';
import { describeWebhook, presentOne } from './present-webhook.ts';
import { deliveryCommands } from './webhook-deliveries.ts';
import { endpointCommands } from './webhook-endpoints.ts';
import { type EndpointOption, endpointOf, webhookOf } from './webhook-of.ts';
import { readSettings, type SettingOptions, settingOptions } from './webhook-settings.ts';

export function webhookCommands(program: Command): void {
  const webhook = program
    .command('webhook')
    .description('Send events to a tenant’s own servers, and see the deliveries.');
  const ofEndpoint = (name: string, description: string) =>
    webhook
      .command(name)
      .description(description)
      .argument('<tenant>')
      .option('--endpoint <name>', 'another endpoint than `default`');

  withServices(
    settingOptions(ofEndpoint('set', 'Set the URL for events, and switch the webhook on.')),
    async (services, slug: string, options: SettingOptions & EndpointOption) => {
      const settings = await readSettings(options);
      const { webhook, secret } =
        options.endpoint === undefined
          ? await setWebhook(services, (await tenantBySlug(services, slug)).id, settings)
          : await changeEndpoint(
              services,
              endpointOf(await webhookOf(services, slug, options)),
              settings,
            );
      const shown = await presentOne(services, webhook);
      return {
        json: { webhook: shown, ...shown, secret },
        text: `${describeWebhook(shown)}\nsecret  ${secret}\nThe receiver needs the secret to check signatures. No other command shows it.`,
      };
    },
  );

  withServices(
    ofEndpoint('show', 'Show the webhook.'),
    async (services, slug: string, options: EndpointOption) => {
      const row = await webhookOf(services, slug, options);
      const shown = await presentOne(services, row);
      const limits = quotaOf(services.config);
      const found = await findQuota(services.db, endpointOf(row));
      const full = found && describeQuota(found, limits);
      return {
        json: { webhook: shown, ...shown, quota: presentQuota(found, limits) },
        text: full ? `${describeWebhook(shown)}\nquota   ${full}` : describeWebhook(shown),
      };
    },
  );

  withServices(
    ofEndpoint('off', 'Stop recording and sending events; `set` switches it on again.'),
    async (services, slug: string, options: EndpointOption) => {
      const endpoint = endpointOf(await webhookOf(services, slug, options));
      const off = await switchEndpointOff(
        services.db,
        endpoint,
        fault('switched_off_by_hand', 'Switched off by hand.'),
      );
      const shown = await presentOne(services, off!);
      return { json: { webhook: shown, ...shown }, text: describeWebhook(shown) };
    },
  );

  const pausing: [name: string, description: string, isPaused: boolean][] = [
    ['pause', 'Record events, but send none until `resume`.', true],
    ['resume', 'Send events again, and those that were recorded meanwhile.', false],
  ];
  for (const [name, description, isPaused] of pausing) {
    withServices(
      ofEndpoint(name, description),
      async (services, slug: string, options: EndpointOption) => {
        const endpoint = endpointOf(await webhookOf(services, slug, options));
        const shown = await presentOne(
          services,
          (await pauseEndpoint(services.db, endpoint, isPaused))!,
        );
        return { json: { webhook: shown, ...shown }, text: describeWebhook(shown) };
      },
    );
  }

  withServices(
    ofEndpoint(
      'rotate-secret',
      'Create a new secret. For 24 hours, the previous one signs as well.',
    ),
    async (services, slug: string, options: EndpointOption) => {
      const endpoint = endpointOf(await webhookOf(services, slug, options));
      const { webhook, secret, headersLost } = await rotateSecret(services, endpoint);
      const shown = await presentOne(services, webhook);
      const { previous_secret_until: until } = shown;
      return {
        json: { webhook: shown, ...shown, secret },
        text: [
          `secret  ${secret}`,
          until
            ? `The previous secret also signs until ${until}.`
            : 'The previous secret cannot be decrypted, and does not sign any more.',
          ...(headersLost
            ? ['The additional headers cannot be decrypted, and were removed. Set them again.']
            : []),
        ].join('\n'),
      };
    },
  );

  endpointCommands(webhook);
  deliveryCommands(webhook);

  withServices(
    ofEndpoint(
      'test',
      'Send a test event and wait for the response. The service must be running. Fails unless the event is delivered.',
    ),
    async (services, slug: string, options: EndpointOption) => {
      const row = await webhookOf(services, slug, options);
      const endpoint = endpointOf(row);
      if (row.paused_since !== null) {
        throw new CommandError(
          'The webhook is paused, so nothing is sent. See `parley webhook resume --help`.',
        );
      }
      const id = await sendTestEvent(services, endpoint);
      const delivery = await outcomeOf(services, endpoint, id);
      const attempt = delivery.attempts.at(-1);
      const json = { delivery, ...delivery };
      if (delivery.state !== 'delivered') {
        const failure = delivery.reason
          ? `Not delivered: ${delivery.reason}`
          : `No response yet. If the service is running, see \`parley webhook deliveries ${slug} --id ${id}\`.`;
        return { json, text: '', failure };
      }
      const { status, duration_ms: ms } = attempt!;
      return { json, text: `Delivered: the receiver responded with ${status} after ${ms} ms.` };
    },
  );
}

/** Returns the delivery after its first attempt, or as it is if that takes too long. */
async function outcomeOf(services: Services, endpoint: Endpoint, id: number) {
  for (let waitedMs = 0; ; waitedMs += 100) {
    const found = await listDeliveries(services.db, endpoint, { id }, 1);
    const [delivery] = await presentDeliveries(services.db, endpoint.tenantId, found);
    if (delivery!.state !== 'waiting' || waitedMs >= services.config.webhookTimeoutMs) {
      return delivery!;
    }
    await pause(100);
  }
}

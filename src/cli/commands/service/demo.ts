import type { Command } from 'commander';
import { type Config, readConfig } from '../../../config.ts';
import { inviteMember } from '../../../members/invite-member.ts';
import {
  connectSimulatedNumber,
  restoreSimulatedNumbers,
} from '../../../numbers/connecting/connect-simulated-number.ts';
import { listNumbers } from '../../../numbers/queries.ts';
import type { Services } from '../../../services.ts';
import type { Simulator } from '../../../simulator/start-simulator.ts';
import { syncTemplates } from '../../../templates/syncing/sync-templates.ts';
import { createTenant } from '../../../tenants/create-tenant.ts';
import { findTenant } from '../../../tenants/queries.ts';
import { createToken } from '../../../tenants/tokens/create-token.ts';
import { closeOnSignal } from '../../close-on-signal.ts';
import { demoSettings, recordDemo } from '../../demo-data.ts';

const demoSlug = 'demo';
const demoEmail = 'demo@example.com';
const tokenLifeDays = 30;

export function demoCommand(program: Command): void {
  program
    .command('demo')
    .description('Serve with the simulator and a demo tenant, to try Parley out.')
    .option('--json', 'print one JSON object once the service is ready')
    .action(async ({ json }: { json?: boolean }) => {
      const config = readConfig(process.env, { logLevel: 'warn', ...demoSettings });
      const { start } = await import('../../../main.ts');
      const starting = start(config, { simulator: true });
      closeOnSignal(starting);
      const running = await starting;
      const simulator = running.simulator!;
      const { token, signInUrl } = await prepare(config, running.services, simulator).catch(
        async (error) => {
          // Otherwise it would go on serving without anybody knowing the token.
          await running.close();
          throw error;
        },
      );
      const { url, authorityPath } = running;
      const { url: simulatorUrl } = simulator;
      const api = `${url}/api/${demoSlug}`;
      if (json) {
        const shown = {
          url,
          api,
          simulator: simulatorUrl,
          tenant: demoSlug,
          token,
          sign_in: signInUrl,
          authority: authorityPath,
        };
        process.stdout.write(`${JSON.stringify(shown)}\n`);
      } else {
        process.stdout.write(welcome({ api, simulatorUrl, token, signInUrl, authorityPath }));
      }
    });
}

async function prepare({ dataDir }: Config, services: Services, simulator: Simulator) {
  await recordDemo(dataDir, simulator);
  return seed({ ...services, simulatorUrl: simulator.url });
}

/**
 * Creates the demo tenant and its simulated number unless they exist, a new token, and a new sign-in link for
 * the dashboard.
 */
async function seed(
  services: Services & { simulatorUrl: string },
): Promise<{ token: string; signInUrl: string }> {
  const { db, config } = services;
  const tenant =
    (await findTenant(db, demoSlug)) ??
    (await createTenant(db, {
      slug: demoSlug,
      name: 'Demo Shop',
      plan: 'pro',
      cell: config.cell,
    }));
  await restoreSimulatedNumbers(services);
  const numbers = await listNumbers(db, tenant.id);
  if (numbers.length === 0) {
    await connectSimulatedNumber(services, tenant.id);
    await syncTemplates(services, tenant.id);
  }
  const { value } = await createToken(db, tenant.id, {
    name: `Demo of ${new Date().toISOString().slice(0, 10)}`,
    abilities: ['all'],
    expiresAt: new Date(Date.now() + tokenLifeDays * 86_400_000),
    active: true,
  });
  const { url: signInUrl } = await inviteMember(services, tenant.id, {
    email: demoEmail,
    byOperator: true,
  });
  return { token: value, signInUrl };
}

function welcome(shown: {
  api: string;
  simulatorUrl: string;
  token: string;
  signInUrl: string;
  authorityPath: string | undefined;
}): string {
  const authority = shown.authorityPath?.replaceAll("'", String.raw`'\''`);
  const trust = authority ? `--cacert '${authority}' ` : '';
  return `
Parley is running. Ctrl-C stops all of it.

  Dashboard   ${shown.signInUrl}
              (sign in as ${demoEmail}; works once, each start prints a new one)
  API         ${shown.api}
  Phones      ${shown.simulatorUrl}/   (a simulated network: see messages arrive and reply to them)
  Tenant      ${demoSlug}
  Token       ${shown.token}   (every ability, ${tokenLifeDays} days)

Send a first message:

curl ${trust}${shown.api}/messages/template -H 'Authorization: Bearer ${shown.token}' -H 'Content-Type: application/json' -d '{"phone_number":"+14155550123","template_name":"hello_world","template_language":"en_US"}'

`;
}

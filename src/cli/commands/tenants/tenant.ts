import { Argument, type Command } from 'commander';
import type { Config } from '../../../config.ts';
import { canKeepFiles, foldersDiffer } from '../../../media/kept/media-folders.ts';
import { removeKeptFiles } from '../../../media/kept/remove-kept-files.ts';
import { maxDaysKept } from '../../../settings/retention-settings.ts';
import { changeTenant } from '../../../tenants/change-tenant.ts';
import { createTenant } from '../../../tenants/create-tenant.ts';
import { maxKeepFilesDays } from '../../../tenants/dashboard-schema.ts';
import { deleteTenant } from '../../../tenants/delete-tenant.ts';
import { isPlan, plans } from '../../../tenants/plans.ts';
import { listTenants, type Tenant } from '../../../tenants/queries.ts';
import { checkRegion } from '../../../tenants/region.ts';
import { CommandError, table, tenantBySlug, withServices } from '../../command.ts';
import { withInterruptMessage } from '../../interrupts.ts';
import { tenantFileCommands } from './tenant-files.ts';
import { tenantMoveCommand } from './tenant-move.ts';

const planNames = Object.keys(plans).join(', ');

export function tenantCommands(program: Command): void {
  const tenant = program.command('tenant').description('Create and manage tenants.');

  withServices(
    tenant
      .command('create')
      .description('Create a tenant.')
      .argument('<slug>', 'its name in URLs: lower-case letters, digits and dashes')
      .option('--name <name>', 'the name of the business')
      .option('--plan <plan>', planNames, 'starter'),
    async ({ db, config }, slug: string, options: { name?: string; plan: string }) => {
      const created = await createTenant(db, { slug, cell: config.cell, ...options });
      return {
        json: { tenant: presentTenant(created) },
        text: `Created tenant ${slug} (${created.plan}). Next: parley token create ${slug} --name first --abilities all`,
      };
    },
    { creates: true },
  );

  withServices(tenant.command('list').description('List all tenants.'), async ({ db }) => {
    const tenants = await listTenants(db);
    return {
      json: { tenants: tenants.map(presentTenant) },
      text: table(
        ['ID', 'SLUG', 'NAME', 'PLAN', 'API'],
        tenants.map((each) => [
          String(each.id),
          each.slug,
          each.name,
          each.plan,
          each.api_access ? 'on' : 'off',
        ]),
      ),
    };
  });

  withServices(
    tenant.command('show').description('Show one tenant.').argument('<slug>'),
    async (services, slug: string) => {
      const found = await tenantBySlug(services, slug, 'any');
      return { json: { tenant: presentTenant(found) }, text: describe(found, services.config) };
    },
  );

  withServices(
    tenant
      .command('set-plan')
      .description('Change the plan. Takes effect within a second.')
      .argument('<slug>')
      .argument('<plan>', planNames),
    async (services, slug: string, plan: string) => {
      if (!isPlan(plan))
        throw new CommandError(`There is no plan "${plan}". The plans are ${planNames}.`);
      const { id } = await tenantBySlug(services, slug);
      const changed = (await changeTenant(services.db, id, { plan }))!;
      return { json: { tenant: presentTenant(changed) }, text: `${slug} is now on plan ${plan}.` };
    },
  );

  withServices(
    tenant
      .command('set-api-access')
      .description(
        'Refuse all requests of the tenant’s tokens, or accept them again. Takes effect within a second. The tokens stay, and an owner can switch it in the dashboard too.',
      )
      .argument('<slug>')
      .addArgument(new Argument('<on|off>').choices(['on', 'off'])),
    async (services, slug: string, setting: 'on' | 'off') => {
      const { id } = await tenantBySlug(services, slug);
      const changed = (await changeTenant(services.db, id, { api_access: setting === 'on' }))!;
      const text =
        setting === 'on'
          ? `Requests of the tokens of ${slug} are accepted.`
          : `Requests of the tokens of ${slug} get a 401.`;
      return { json: { tenant: presentTenant(changed) }, text };
    },
  );

  withServices(
    tenant
      .command('set-inbound-contacts')
      .description('Set whether an unknown phone that sends a message becomes a contact.')
      .argument('<slug>')
      .addArgument(new Argument('<on|off>').choices(['on', 'off'])),
    async (services, slug: string, setting: 'on' | 'off') => {
      const { id } = await tenantBySlug(services, slug);
      const changed = (await changeTenant(services.db, id, {
        contacts_from_inbound: setting === 'on',
      }))!;
      return { json: { tenant: presentTenant(changed) }, text: inboundMessage(changed) };
    },
  );

  withServices(
    tenant
      .command('set-keep-files')
      .description('Set how many days the files of received messages are kept; 0 keeps none.')
      .argument('<slug>')
      .argument('<days>', `0 to ${maxKeepFilesDays}`),
    async (services, slug: string, text: string) => {
      const days = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
      if (!(days <= maxKeepFilesDays)) {
        throw new CommandError(`The days must be 0 to ${maxKeepFilesDays}, not "${text}".`);
      }
      const { id } = await tenantBySlug(services, slug);
      if (days > 0 && !(await canKeepFiles(services))) {
        throw new CommandError(
          `${foldersDiffer.text} This command uses ${services.config.dataDir}.`,
        );
      }
      const changed = (await changeTenant(services.db, id, { keep_files_days: days }))!;
      return { json: { tenant: presentTenant(changed) }, text: filesMessage(changed) };
    },
  );

  withServices(
    tenant
      .command('set-message-retention')
      .description(
        'Set how many days messages are kept, if that is shorter than PARLEY_MESSAGE_RETENTION_DAYS. Older ones are deleted within hours.',
      )
      .argument('<slug>')
      .argument('<days>', `1 to ${maxDaysKept}, or "default" for PARLEY_MESSAGE_RETENTION_DAYS`),
    async (services, slug: string, text: string) => {
      const days = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
      if (text !== 'default' && !(days >= 1 && days <= maxDaysKept)) {
        throw new CommandError(
          `The days must be 1 to ${maxDaysKept}, or "default", not "${text}".`,
        );
      }
      const { id } = await tenantBySlug(services, slug);
      const wanted = text === 'default' ? null : days;
      const changed = (await changeTenant(services.db, id, { message_retention_days: wanted }))!;
      return {
        json: { tenant: presentTenant(changed) },
        text: retentionMessage(changed, services.config),
      };
    },
  );

  withServices(
    tenant
      .command('set-region')
      .description('Set how the dashboard writes numbers, dates and times.')
      .argument('<slug>')
      .option('--locale <tag>', 'the language, such as en-GB or de')
      .option('--time-zone <zone>', 'such as Europe/Berlin; "browser" for that of each person'),
    async (services, slug: string, { locale, timeZone }: RegionOptions) => {
      if (!locale && !timeZone) throw new CommandError('Name a --locale, a --time-zone, or both.');
      const found = await tenantBySlug(services, slug);
      const region = checkRegion({
        locale: locale ?? found.locale,
        time_zone: timeZone ? (timeZone === 'browser' ? null : timeZone) : found.time_zone,
      });
      const changed = (await changeTenant(services.db, found.id, region))!;
      return { json: { tenant: presentTenant(changed) }, text: regionMessage(changed) };
    },
  );

  tenantFileCommands(tenant);
  tenantMoveCommand(tenant);

  withServices(
    tenant
      .command('delete')
      .description('Delete a tenant and everything it owns. This cannot be undone.')
      .argument('<slug>')
      .requiredOption('--yes', 'confirm that all its data is deleted'),
    async (services, slug: string) => {
      const { id } = await tenantBySlug(services, slug);
      await withInterruptMessage(
        services.interrupted,
        `Some data of ${slug} may be deleted, and its API access is off. Run the command again to delete the rest.`,
        deleteTenant(services.db, id),
      );
      // The service does this too, but it may not run.
      await removeKeptFiles(services);
      return { json: { deleted: slug }, text: `Deleted ${slug} and everything it owned.` };
    },
  );
}

type RegionOptions = { locale?: string; timeZone?: string };

function presentTenant(tenant: Tenant) {
  const { id, slug, name, plan, api_access, contacts_from_inbound, created_at } = tenant;
  const { keep_files_days, message_retention_days, locale, time_zone } = tenant;
  return {
    id,
    slug,
    name,
    plan,
    api_access,
    contacts_from_inbound,
    keep_files_days,
    message_retention_days,
    locale,
    time_zone,
    created_at: created_at.toISOString(),
  };
}

function inboundMessage({ contacts_from_inbound: becomesContact }: Tenant): string {
  return `An unknown phone that sends a message becomes ${becomesContact ? 'a' : 'no'} contact.`;
}

function filesMessage({ keep_files_days: days }: Tenant): string {
  if (days === 0) return 'Files of received messages are not kept. WhatsApp has each for 7 days.';
  return `Files of received messages are kept for ${inDays(days)}.`;
}

function retentionMessage(
  { message_retention_days: ofTenant }: Tenant,
  { messageRetentionDays: setting }: Config,
): string {
  if (setting > 0 && ofTenant && ofTenant > setting) {
    return `Messages are kept for ${inDays(setting)}, which PARLEY_MESSAGE_RETENTION_DAYS allows, and not for ${ofTenant}.`;
  }
  const days = ofTenant ?? setting;
  return days === 0
    ? 'Messages are kept as long as their contact.'
    : `Messages are kept for ${inDays(days)}.`;
}

function inDays(days: number): string {
  return days === 1 ? 'a day' : `${days} days`;
}

function regionMessage({ locale, time_zone }: Tenant): string {
  return `Numbers and times are written as in ${locale}, in ${time_zone ?? "the browser's time zone"}.`;
}

function describe(tenant: Tenant, config: Config): string {
  const { requestsPerMinute, messagesPerDay } = plans[tenant.plan];
  return [
    `${tenant.slug} (${tenant.name})`,
    `id          ${tenant.id}`,
    `plan        ${tenant.plan}: ${requestsPerMinute} requests a minute, ${messagesPerDay ?? 'unlimited'} messages a day, for each token`,
    `API access  ${tenant.api_access ? 'on' : 'off'}`,
    `inbound     ${inboundMessage(tenant)}`,
    `files       ${filesMessage(tenant)}`,
    `messages    ${retentionMessage(tenant, config)}`,
    `region      ${regionMessage(tenant)}`,
    `created     ${tenant.created_at.toISOString()}`,
  ].join('\n');
}

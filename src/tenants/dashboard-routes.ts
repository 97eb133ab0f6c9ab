import { type Config, publicUrl } from '../config.ts';
import { findKeptTotal } from '../media/kept/find-kept-total.ts';
import { canKeepFiles, foldersDiffer } from '../media/kept/media-folders.ts';
import type { Storage } from '../media/storage/storage.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Db } from '../platform/database/database.ts';
import { invalid, notFound } from '../platform/errors/api-error.ts';
import { fault } from '../platform/errors/fault.ts';
import { success } from '../platform/http/success.ts';
import { idFrom } from '../platform/values/id.ts';
import type { TenantApi } from './api/tenant-api.ts';
import { changeTenant } from './change-tenant.ts';
import {
  ApiSettings,
  GeneratedToken,
  GenerateToken,
  InboundSettings,
  RevokedToken,
  SaveApiSettings,
  SavedRegion,
  SaveInboundSettings,
  SaveRegion,
} from './dashboard-schema.ts';
import { findTenant, type Tenant } from './queries.ts';
import { checkRegion } from './region.ts';
import { saveApiSettings } from './save-api-settings.ts';
import { abilityCategories } from './tokens/abilities.ts';
import { createToken } from './tokens/create-token.ts';
import { revokeToken } from './tokens/revoke-token.ts';
import { listTokens, type TokenRow } from './tokens/token-queries.ts';

/** Limited because each token has the full limits of the plan. */
const maxTokens = 200;

/**
 * API management (docs/spec.md, section 5): access is switched on, a token is generated and shown
 * once, and saving the settings activates both. Also the setting for messages from unknown phones.
 */
export function tenantDashboardRoutes(
  api: TenantApi,
  { db, config, clock, storage }: { db: Database; config: Config; clock: Clock; storage: Storage },
): void {
  const owner = { owner: true };

  async function readSettings(from: Db, tenantId: number, slug: string) {
    const [tenant, tokens] = await Promise.all([
      findTenant(from, slug),
      listTokens(from, tenantId),
    ]);
    if (!tenant) throw notFound();
    return success({
      data: {
        api_access: tenant.api_access,
        base_url: `${publicUrl(config)}/api/${slug}`,
        abilities: Object.entries(abilityCategories).map(([category, abilities]) => ({
          category,
          abilities: [...abilities],
        })),
        tokens: tokens.map((token) => presentToken(token, clock)),
      },
    });
  }

  api.get(
    '/api-settings',
    { config: { limitConcurrency: true }, schema: { response: { 200: ApiSettings } } },
    ({ db: reads, member }) => readSettings(reads, member.tenantId, member.slug),
  );

  api.put(
    '/api-settings',
    { config: owner, schema: { body: SaveApiSettings, response: { 200: ApiSettings } } },
    async ({ member, body }) => {
      await saveApiSettings(db, member.tenantId, {
        apiAccess: body.api_access,
        activate: body.activate,
      });
      return readSettings(db, member.tenantId, member.slug);
    },
  );

  api.get(
    '/inbound-settings',
    { schema: { response: { 200: InboundSettings } } },
    async ({ db: reads, member }) =>
      presentInbound({ db: reads, storage, config }, await findTenant(reads, member.slug)),
  );

  api.put(
    '/inbound-settings',
    { config: owner, schema: { body: SaveInboundSettings, response: { 200: InboundSettings } } },
    async ({ member, body }) => {
      if (body.keep_files_days && !(await canKeepFiles({ db, storage }))) {
        throw invalid({ keep_files_days: [foldersDiffer] });
      }
      const { messageRetentionDays: max } = config;
      if (max > 0 && (body.message_retention_days ?? 0) > max) {
        throw invalid({
          message_retention_days: [fault('too_great', 'must be at most {max}', { max })],
        });
      }
      const changed = await changeTenant(db, member.tenantId, body);
      return presentInbound({ db, storage, config }, changed);
    },
  );

  api.put(
    '/region',
    { config: owner, schema: { body: SaveRegion, response: { 200: SavedRegion } } },
    async ({ member, body }) => {
      const tenant = await changeTenant(db, member.tenantId, checkRegion(body));
      if (!tenant) throw notFound();
      const { locale, time_zone } = tenant;
      return success({ data: { locale, time_zone } });
    },
  );

  api.post(
    '/tokens',
    { config: owner, schema: { body: GenerateToken, response: { 200: GeneratedToken } } },
    async ({ member, body }) => {
      const { value, token } = await createToken(db, member.tenantId, {
        name: body.name,
        abilities: body.abilities,
        expiresAt: body.expires_at ? new Date(body.expires_at) : null,
        active: false,
        maxTokens,
      });
      return success({ data: { value, token: presentToken(token, clock) } });
    },
  );

  api.post(
    '/tokens/:id/revoke',
    { config: owner, schema: { response: { 200: RevokedToken } } },
    async ({ member, params }) => {
      const token = await revokeToken(db, member.tenantId, idFrom(params));
      if (!token) throw notFound();
      return success({ data: presentToken(token, clock) });
    },
  );
}

async function presentInbound(
  services: { db: Db; storage: Storage; config: Config },
  tenant: Tenant | undefined,
) {
  if (!tenant) throw notFound();
  const { contacts_from_inbound, keep_files_days, message_retention_days } = tenant;
  const { files: kept_files, bytes: kept_bytes } = await findKeptTotal(services.db, tenant.id);
  const can_keep_files = await canKeepFiles(services);
  return success({
    data: {
      contacts_from_inbound,
      message_retention_days,
      max_message_retention_days: services.config.messageRetentionDays,
      keep_files_days,
      can_keep_files,
      kept_files,
      kept_bytes,
    },
  });
}

function presentToken(token: TokenRow, clock: Clock) {
  return {
    id: token.id,
    name: token.name,
    hint: token.hint,
    state: stateOf(token, clock.now()),
    abilities: token.abilities,
    created_at: token.created_at.toISOString(),
    expires_at: token.expires_at?.toISOString() ?? null,
    last_used_at: token.last_used_at?.toISOString() ?? null,
    revoked_at: token.revoked_at?.toISOString() ?? null,
    seen_in_clear_at: token.seen_in_clear_at?.toISOString() ?? null,
  };
}

function stateOf(token: TokenRow, now: Date) {
  if (token.revoked_at) return 'revoked' as const;
  if (token.expires_at && token.expires_at <= now) return 'expired' as const;
  return token.activated_at ? ('active' as const) : ('pending' as const);
}

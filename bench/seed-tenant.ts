import { connectNumber } from '../src/numbers/connecting/connect-number.ts';
import type { Services } from '../src/services.ts';
import { createTenant } from '../src/tenants/create-tenant.ts';
import { allAbilities } from '../src/tenants/tokens/abilities.ts';
import { createToken } from '../src/tenants/tokens/create-token.ts';

export type SeededTenant = { id: number; slug: string; tokens: string[]; tokenIds: number[] };

/**
 * Creates a tenant and tokens with every ability. Each token may make 600 requests a minute.
 *
 * @param events whether they may read events, so that the events of messages are recorded
 */
export async function seedTenant(
  { db }: Services,
  slug: string,
  tokenCount: number,
  { events = false }: { events?: boolean } = {},
): Promise<SeededTenant> {
  const abilities = allAbilities.filter((ability) => events || ability !== 'events:read');
  const { id } = await createTenant(db, { slug, plan: 'enterprise' });
  const tenant: SeededTenant = { id, slug, tokens: [], tokenIds: [] };
  for (let each = 0; each < tokenCount; each++) {
    const options = { name: 'bench', abilities, active: true };
    const { value, token } = await createToken(db, id, options);
    tenant.tokens.push(value);
    tenant.tokenIds.push(token.id);
  }
  return tenant;
}

/** The same with a number, on a network that accepts any access token. */
export async function seedSender(
  services: Services,
  slug: string,
  tokenCount: number,
  options: { events?: boolean } = {},
): Promise<SeededTenant> {
  const tenant = await seedTenant(services, slug, tokenCount, options);
  await connectNumber(services, tenant.id, {
    phoneNumberId: '1',
    businessAccountId: '1',
    accessToken: 'token',
    appSecret: 'secret',
  });
  return tenant;
}

import type { Command } from 'commander';
import { createToken } from '../../tenants/tokens/create-token.ts';
import { revokeToken } from '../../tenants/tokens/revoke-token.ts';
import { listTokens, type TokenRow } from '../../tenants/tokens/token-queries.ts';
import { CommandError, idFrom, table, tenantBySlug, withServices } from '../command.ts';
import { expiryFrom } from '../times.ts';

export function tokenCommands(program: Command): void {
  const token = program.command('token').description('Create and revoke API tokens.');

  withServices(
    token
      .command('create')
      .description('Create an active token and switch API access on. The token is shown only once.')
      .argument('<tenant>')
      .requiredOption('--name <name>', 'the purpose of the token')
      .requiredOption(
        '--abilities <list>',
        'comma-separated, such as messages:text,contacts:read; or all',
      )
      .option('--expires-in <time>', 'such as 30s, 12h or 90d; default: never'),
    async (
      services,
      slug: string,
      options: { name: string; abilities: string; expiresIn?: string },
    ) => {
      const tenant = await tenantBySlug(services, slug);
      const { value, token } = await createToken(services.db, tenant.id, {
        name: options.name,
        abilities: options.abilities
          .split(',')
          .map((each) => each.trim())
          .filter(Boolean),
        expiresAt: expiryFrom(options.expiresIn),
        active: true,
      });
      return {
        json: { ...presentToken(token), token: value },
        text: `${value}\nKeep it on a server; it is not shown again.`,
      };
    },
  );

  withServices(
    token.command('list').description('List the tokens of a tenant.').argument('<tenant>'),
    async (services, slug: string) => {
      const tenant = await tenantBySlug(services, slug);
      const tokens = (await listTokens(services.db, tenant.id)).map(presentToken);
      return {
        json: { tokens },
        text: table(
          ['ID', 'NAME', 'LAST LETTERS', 'STATE', 'EXPIRES', 'LAST USED', 'ABILITIES'],
          tokens.map((each) => [
            String(each.id),
            each.name,
            each.hint,
            each.state,
            each.expires_at ?? 'never',
            each.last_used_at ?? 'never',
            each.abilities.join(','),
          ]),
        ),
      };
    },
  );

  withServices(
    token
      .command('revoke')
      .description('Revoke a token. Takes effect within a second.')
      .argument('<tenant>')
      .argument('<id>', 'see `parley token list`'),
    async (services, slug: string, id: string) => {
      const tenant = await tenantBySlug(services, slug);
      const tokenId = idFrom(id);
      const revoked =
        tokenId === undefined ? undefined : await revokeToken(services.db, tenant.id, tokenId);
      if (!revoked) {
        throw new CommandError(`${slug} has no token ${id}. See \`parley token list ${slug}\`.`);
      }
      return {
        json: { revoked: presentToken(revoked) },
        text: `Revoked token ${id} (${revoked.name}).`,
      };
    },
  );
}

function presentToken(token: TokenRow) {
  return {
    id: token.id,
    name: token.name,
    hint: token.hint,
    state: stateOf(token),
    abilities: token.abilities,
    created_at: token.created_at.toISOString(),
    expires_at: token.expires_at?.toISOString() ?? null,
    revoked_at: token.revoked_at?.toISOString() ?? null,
    last_used_at: token.last_used_at?.toISOString() ?? null,
    seen_in_clear_at: token.seen_in_clear_at?.toISOString() ?? null,
  };
}

function stateOf(token: TokenRow): 'revoked' | 'expired' | 'pending' | 'active' {
  if (token.revoked_at) return 'revoked';
  if (token.expires_at && token.expires_at.getTime() <= Date.now()) return 'expired';
  return token.activated_at ? 'active' : 'pending';
}

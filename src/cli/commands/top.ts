import { type Command, Option } from 'commander';
import { findBusiestTenants } from '../../limits/usage-queries.ts';
import { countFrom, table, withServices } from '../command.ts';

export function topCommand(program: Command): void {
  withServices(
    program
      .command('top')
      .description('List the tenants that have used the API most today (UTC).')
      .addOption(
        new Option('--by <what>', 'what to order by')
          .choices(['requests', 'messages', 'failures'])
          .default('requests'),
      )
      .option('--limit <count>', 'how many tenants', '10'),
    async ({ db }, { by, limit }: { by: 'requests' | 'messages' | 'failures'; limit: string }) => {
      const count = countFrom('--limit', limit, 1_000);
      const tenants = await findBusiestTenants(db, by, count);
      const rows = tenants.map(({ tenant, requests, refusals, failures, messages }) => [
        tenant,
        ...[requests, refusals, failures, messages].map(String),
      ]);
      const headings = ['tenant', 'requests', '4xx', '5xx', 'messages'];
      return { json: { tenants }, text: table(headings, rows) };
    },
  );
}

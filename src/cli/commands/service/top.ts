import { type Command, Option } from 'commander';
import { findBusiestTenants } from '../../../limits/busiest-tenants.ts';
import { countFrom, table, withServices } from '../../command.ts';
import { timeFrom } from '../../times.ts';

/** The columns that the list can be ordered by. */
const orders = {
  requests: 'requests',
  messages: 'messages',
  failures: 'failures',
  'store-posts': 'store_posts',
} as const;

type TopOptions = { by: keyof typeof orders; since: string; limit: string };

export function topCommand(program: Command): void {
  withServices(
    program
      .command('top')
      .description(
        'List the tenants that use the most: requests and messages of their tokens, and posts of their stores, also refused ones.',
      )
      .addOption(
        new Option('--by <what>', 'what to order by')
          .choices(Object.keys(orders))
          .default('requests'),
      )
      .option(
        '--since <time>',
        'such as 1h, 2d or 2026-11-21T10:00Z: requests count from the beginning of its day (UTC), posts of its hour',
        '1h',
      )
      .option('--limit <count>', 'how many tenants', '10'),
    async ({ db }, { by, since, limit }: TopOptions) => {
      const tenants = await findBusiestTenants(db, {
        by: orders[by],
        since: timeFrom(since),
        limit: countFrom('--limit', limit, 1_000),
      });
      const rows = tenants.map(
        ({ tenant, requests, refusals, failures, messages, store_posts }) => [
          tenant,
          ...[requests, refusals, failures, messages, store_posts].map(String),
        ],
      );
      const headings = ['tenant', 'requests', '4xx', '5xx', 'messages', 'store posts'];
      return { json: { tenants }, text: table(headings, rows) };
    },
  );
}

import type { TenantApi } from '../../api/client.ts';

/** The query for the answers of the bots, the newest first. */
export const answersQuery = (api: TenantApi) =>
  api.askedInParts('/bots/answers', {}, 'before', ({ more, answers }) =>
    more ? answers.at(-1)?.inbound_id : undefined,
  );

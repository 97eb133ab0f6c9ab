/**
 * Who may do what, written by hand from the specification (section 5) and the guides, not derived from the
 * routes. The matrix checks the running service against it, and a test finds routes that are missing here.
 */
type Rule<Right> = { method: string; path: string; right: Right };

const labels = ['statuses', 'sources', 'groups'].flatMap((noun): Rule<string[]>[] => [
  { method: 'POST', path: `/${noun}`, right: [`${noun}:create`] },
  { method: 'GET', path: `/${noun}`, right: [`${noun}:read`] },
  { method: 'GET', path: `/${noun}/:id`, right: [`${noun}:read`] },
  { method: 'PUT', path: `/${noun}/:id`, right: [`${noun}:update`] },
  { method: 'DELETE', path: `/${noun}/:id`, right: [`${noun}:delete`] },
]);

/** Paths of the API for which the dashboard has its own. */
const listRules: Rule<string[]>[] = [
  { method: 'GET', path: '/messages', right: ['messages:read'] },
  { method: 'GET', path: '/conversations', right: ['conversations:read'] },
  { method: 'GET', path: '/conversations/:person', right: ['conversations:read'] },
  { method: 'GET', path: '/conversations/:person/messages', right: ['conversations:read'] },
  { method: 'GET', path: '/media/:media_id', right: ['media:read'] },
  { method: 'POST', path: '/media', right: ['media:write'] },
];

/** Paths of the API that the dashboard uses as well. */
const sharedRules: Rule<string[]>[] = [
  { method: 'POST', path: '/messages/send', right: ['messages:text'] },
  { method: 'POST', path: '/messages/interactive', right: ['messages:text'] },
  { method: 'POST', path: '/messages/media', right: ['messages:media'] },
  { method: 'POST', path: '/messages/template', right: ['messages:template'] },
  {
    method: 'GET',
    path: '/messages/:message_id',
    right: ['messages:read', 'messages:text', 'messages:media', 'messages:template'],
  },
  { method: 'POST', path: '/contacts', right: ['contacts:create'] },
  { method: 'GET', path: '/contacts', right: ['contacts:read'] },
  // Needs two abilities, contacts:update and contacts:create. The tokens of the matrix have one each.
  { method: 'PUT', path: '/contacts', right: [] },
  { method: 'GET', path: '/contacts/:id', right: ['contacts:read'] },
  { method: 'PUT', path: '/contacts/:id', right: ['contacts:update'] },
  { method: 'DELETE', path: '/contacts/:id', right: ['contacts:delete'] },
  ...labels,
  { method: 'GET', path: '/templates', right: ['templates:read'] },
  { method: 'GET', path: '/message-bots', right: ['message-bots:read'] },
  { method: 'GET', path: '/template-bots', right: ['template-bots:read'] },
  { method: 'GET', path: '/events', right: ['events:read'] },
];

/** Paths below `/api/{tenant}`, with their abilities. A token needs one of them. */
export const apiRules: Rule<string[]>[] = [...sharedRules, ...listRules];

const member = (method: string, path: string): Rule<'member' | 'owner'> => ({
  method,
  path,
  right: 'member',
});
const owner = (method: string, path: string): Rule<'member' | 'owner'> => ({
  method,
  path,
  right: 'owner',
});

/** Paths below `/dashboard-api/{tenant}`, in addition to those of the API, which members may use as well. */
export const dashboardRules: Rule<'member' | 'owner'>[] = [
  ...sharedRules.map(({ method, path }) => member(method, path)),
  member('GET', '/overview'),
  member('GET', '/usage'),
  member('GET', '/requests'),
  member('GET', '/requests/:id'),
  member('GET', '/request-bodies'),
  owner('PUT', '/request-bodies'),
  member('GET', '/live'),
  member('GET', '/members'),
  owner('GET', '/audit'),
  owner('GET', '/audit/actors'),
  owner('POST', '/members/invitations'),
  owner('DELETE', '/members/invitations/:id'),
  owner('PUT', '/members/:user_id'),
  owner('DELETE', '/members/:user_id'),
  member('GET', '/template-overview'),
  member('POST', '/template-overview/sync'),
  member('GET', '/api-settings'),
  owner('PUT', '/api-settings'),
  member('GET', '/inbound-settings'),
  owner('PUT', '/inbound-settings'),
  owner('PUT', '/region'),
  owner('POST', '/tokens'),
  owner('POST', '/tokens/:id/revoke'),
  member('GET', '/contacts/filtered'),
  member('POST', '/contacts/assign'),
  member('POST', '/contacts/delete'),
  member('POST', '/contacts/bulk'),
  member('GET', '/contacts/bulk'),
  member('POST', '/contacts/bulk/:id/stop'),
  member('POST', '/contacts/imports'),
  member('GET', '/contacts/imports'),
  member('GET', '/contacts/imports/:id/refused-rows'),
  member('GET', '/contacts/imports/:id/report'),
  owner('GET', '/contacts/export'),
  member('GET', '/conversation'),
  member('PUT', '/conversation'),
  member('GET', '/contact-merges'),
  member('POST', '/contact-merges/:id/undo'),
  member('GET', '/conversations'),
  member('GET', '/conversations/unread'),
  member('GET', '/messages'),
  member('POST', '/media'),
  member('GET', '/conversation/media/:id'),
  member('GET', '/stores'),
  owner('POST', '/stores'),
  member('GET', '/stores/platforms'),
  member('GET', '/stores/:id'),
  owner('DELETE', '/stores/:id'),
  owner('PUT', '/stores/:id/topics/:topic'),
  owner('PUT', '/stores/:id/keys'),
  owner('PUT', '/stores/:id'),
  member('POST', '/stores/:id/test'),
  member('POST', '/stores/:id/preview'),
  member('GET', '/stores/:id/events'),
  member('GET', '/stores/:id/events/:event'),
  member('POST', '/stores/:id/events/:event/replay'),
  member('POST', '/stores/:id/events/replay-failed'),
  member('GET', '/numbers'),
  owner('POST', '/numbers'),
  owner('PUT', '/numbers/:id'),
  owner('POST', '/numbers/simulated'),
  owner('DELETE', '/numbers/:id'),
  member('POST', '/numbers/:id/verify'),
  owner('POST', '/numbers/visible'),
  member('GET', '/webhook'),
  owner('PUT', '/webhook'),
  owner('DELETE', '/webhook'),
  owner('PUT', '/webhook/pause'),
  member('GET', '/webhook/endpoints'),
  owner('POST', '/webhook/endpoints'),
  owner('POST', '/webhook/secret'),
  member('GET', '/webhook/deliveries'),
  member('GET', '/webhook/deliveries/:id'),
  member('POST', '/webhook/redeliver'),
  member('POST', '/webhook/test'),
  member('GET', '/bots'),
  member('POST', '/bots'),
  member('PUT', '/bots/:id'),
  member('DELETE', '/bots/:id'),
  member('POST', '/bots/try'),
  member('GET', '/bots/answers'),
];

/** Replaces every parameter of a path by an unknown id. */
export function concrete(path: string): string {
  return path.replace(':topic', 'order.created').replaceAll(/:\w+/g, '999999999');
}

/**
 * Everything that leaves an entry in the audit log, by the kind of its subject. `audit.test.ts` fails if an action is never
 * recorded, or if a route or a command that writes leaves no entry and is not in its list of those that need none.
 */
export const auditActions = {
  tenant: [
    'created',
    'changed',
    'exported',
    'imported',
    'moving',
    'move_cancelled',
    'moved',
    'reencrypted',
  ],
  member: ['invited', 'uninvited', 'joined', 'changed', 'reset', 'removed'],
  token: ['created', 'activated', 'revoked'],
  webhook: ['created', 'changed', 'paused', 'resumed', 'switched_off', 'secret_rotated', 'deleted'],
  number: ['connected', 'changed', 'disconnected'],
  store: ['created', 'changed', 'topic_changed', 'keys_changed', 'paused', 'resumed', 'deleted'],
  bot: ['created', 'changed', 'deleted'],
  label: ['deleted'],
  contacts: ['changed', 'deleted', 'exported', 'imported', 'change_stopped', 'merge_undone'],
} as const;

/**
 * The fields that a change can name, besides the topics of a store such as `order.created`. The dashboard has words for
 * each (`web/texts/en/audit.json`).
 */
export const auditFields = [
  ...[
    'plan',
    'name',
    'api_access',
    'contacts_from_inbound',
    'keep_files_days',
    'message_retention_days',
  ],
  ...['locale', 'time_zone', 'log_bodies_until', 'cell'],
  ...['role', 'abilities', 'expires_at'],
  ...[
    'host',
    'url',
    'on',
    'events',
    'number_ids',
    'kinds',
    'causes',
    'ordered',
    'gather_seconds',
    'headers',
  ],
  ...[
    'phone_number_id',
    'business_account_id',
    'is_default',
    'marketing_endpoint',
    'callbacks_taken_over',
  ],
  ...['platform', 'country', 'number_id', 'secret', 'authentication'],
  ...['active', 'match', 'keywords', 'pause_minutes', 'reply'],
  ...['template_name', 'template_language', 'fields', 'kind'],
  ...['status_id', 'source_id', 'add_group_id', 'remove_group_id', 'filter', 'contacts'],
];

export type AuditKind = keyof typeof auditActions;

export type AuditAction = {
  [Kind in AuditKind]: `${Kind}.${(typeof auditActions)[Kind][number]}`;
}[AuditKind];

export const auditKinds = Object.keys(auditActions) as AuditKind[];

export const allAuditActions = auditKinds.flatMap((kind) =>
  auditActions[kind].map((verb) => `${kind}.${verb}` as AuditAction),
);

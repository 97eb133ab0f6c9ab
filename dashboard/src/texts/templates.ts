export const templates = {
  title: 'Templates',
  intro:
    'Messages that WhatsApp has approved, for writing to people outside the 24-hour window. They are made in Meta’s WhatsApp Manager.',
  sync: 'Sync now',
  synced: (templates: number, approved: number) =>
    `Synced: ${templates} ${templates === 1 ? 'template' : 'templates'}, ${approved} approved.`,
  lastSync: 'Last synced',
  neverSynced: 'Never synced',
  syncProblem: 'The last sync failed',
  emptyTitle: 'No templates yet',
  emptyText:
    'Make them in Meta’s WhatsApp Manager. They appear here within an hour, or at once with “Sync now”.',
  noNumberTitle: 'Connect a number first',
  noNumberText:
    'Its templates appear here by themselves; they are made in Meta’s WhatsApp Manager.',
  connectNumber: 'To the numbers',
  search: 'Search templates',
  onlyApproved: 'Approved only',
  nothing: 'No template matches.',
  states: {
    APPROVED: 'Approved',
    PENDING: 'In review',
    REJECTED: 'Rejected',
    PAUSED: 'Paused',
    DISABLED: 'Disabled',
    IN_APPEAL: 'In appeal',
    LIMIT_EXCEEDED: 'Limit exceeded',
    PENDING_DELETION: 'Being deleted',
    DELETED: 'Deleted',
    ARCHIVED: 'Archived',
  } as Record<string, string>,
  cannotSend: (part: string) => `It has ${part}, which Parley cannot fill.`,
  preview: 'As on a phone',
  media: { IMAGE: 'Photo', VIDEO: 'Video', DOCUMENT: 'Document', LOCATION: 'Map' } as Record<
    string,
    string
  >,
  codeBody: '{{1}} is your verification code.',
  chooseTitle: 'Send a template',
  template: 'Template',
  missing: (name: string) => `${name} (not approved now)`,
  choose: 'Choose a template',
  noneApproved: 'There is no approved template. See Templates.',
  field: (number: number) => `Field ${number}`,
  mediaUrl: 'Address of the header’s file',
  mediaUrlHint: 'A public https:// address of a file of the right type.',
  send: 'Send',
};

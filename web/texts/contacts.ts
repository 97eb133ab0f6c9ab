const contactsAre = (count: string) => (count === '1' ? '1 contact is' : `${count} contacts are`);

export const contacts = {
  title: 'Contacts',
  count: (count: string, more: boolean) =>
    more ? `More than ${count} contacts` : count === '1' ? '1 contact' : `${count} contacts`,
  create: 'New contact',
  searchLabel: 'Search contacts',
  searchPlaceholder: 'Name, phone or email',
  filterStatus: 'Status',
  filterSource: 'Source',
  filterGroup: 'Group',
  any: (label: string) => `${label}: any`,
  without: (label: string) => `No ${label.toLowerCase()}`,
  clear: 'Clear',
  emptyTitle: 'No contacts yet',
  emptyText:
    'People who write to you appear here by themselves, unless that is switched off under Numbers. Add others by hand, by API, from a store, or from a file.',
  nothingTitle: 'Nobody matches',
  nothingText: 'Try another part of the name or phone, or fewer filters.',
  columns: {
    name: 'Name',
    phone: 'Phone',
    status: 'Status',
    source: 'Source',
    groups: 'Groups',
    created: 'Added',
  },
  /** The names of the fields in forms. */
  fields: {
    firstname: 'First name',
    lastname: 'Last name',
    phone: 'Phone',
    email: 'Email',
    company: 'Company',
    city: 'City',
  },
  moreGroups: (count: number) => `+${count}`,
  tableLabel: 'Contacts',
  selectAll: 'Select all on this page',
  select: (name: string) => `Select ${name}`,
  selected: (count: number) => `${count} selected`,
  selectMatching: (count: string, more: boolean) =>
    more ? `Select all that match, more than ${count}` : `Select all ${count} that match`,
  allSelected: (count: string, more: boolean) =>
    more ? `All that match are selected, more than ${count}` : `All ${count} are selected`,
  deleteAll: (count: string, more: boolean) =>
    more ? `Delete more than ${count} contacts?` : `Delete ${count} contacts?`,
  changeAll: (count: string, more: boolean) =>
    more ? `Change more than ${count} contacts?` : `Change ${count} contacts?`,
  changeAllText:
    'All contacts that pass the search and the filters now, on every page. It goes on by itself and can be stopped, but what is done stays done.',
  change: 'Change',
  bulkRunning: (deletes: boolean) => (deletes ? 'Deleting contacts' : 'Changing contacts'),
  bulkEnded: {
    done: (deletes: boolean, count: string) =>
      `Done: ${contactsAre(count)} ${deletes ? 'deleted' : 'changed'}.`,
    stopped: (deletes: boolean, count: string) =>
      `Stopped: ${contactsAre(count)} ${deletes ? 'deleted' : 'changed'}.`,
    failed: (deletes: boolean, count: string) =>
      `Ended early: ${contactsAre(count)} ${deletes ? 'deleted' : 'changed'}.`,
  },
  bulkCounts: (deletes: boolean, changed: string, looked: string, all: string) =>
    `${looked} of ${all} contacts looked at, ${changed} ${deletes ? 'deleted' : 'changed'} so far.`,
  stop: 'Stop',
  setStatus: 'Set status',
  setSource: 'Set source',
  addGroup: 'Add to group',
  removeGroup: 'Take from group',
  deselect: 'Deselect',
  changed: (count: number) =>
    count === 1 ? '1 contact is changed.' : `${count} contacts are changed.`,
  pages: 'Pages',
  page: (page: string, pages: string) => `Page ${page} of ${pages}`,
  newTitle: 'New contact',
  phoneHint: 'Such as +14155550123.',
  status: 'Status',
  source: 'Source',
  groups: 'Groups',
  noGroups: 'There are no groups yet; make them under Labels.',
  created: 'The contact is created.',
  saved: 'The contact is saved.',
  conversation: 'Conversation',
  deleteOne: (name: string) => `Delete ${name}?`,
  deleteMany: (count: string) =>
    count === '1' ? 'Delete this contact?' : `Delete ${count} contacts?`,
  deleteText:
    'Their conversations are deleted too, for everybody and for good. This cannot be undone.',
  deleted: (count: number) =>
    count === 1 ? 'The contact is deleted.' : `${count} contacts are deleted.`,
  export: 'Export',
  import: 'Import',
  importTitle: 'Import contacts',
  importText: (optional: string[]) =>
    `A CSV file whose first line names the columns: firstname and phone, and any of ${optional.join(', ')}, status, source, groups (several with a semicolon between them). Statuses, sources and groups must be under Labels. Contacts are known by their phone, so it is safe to import a file again.`,
  file: 'File',
  importStates: { running: 'Running', done: 'Done', failed: 'Stopped' },
  importCounts: (created: string, updated: string, unchanged: string, refused: string) =>
    `${created} created, ${updated} updated, ${unchanged} unchanged, ${refused} refused.`,
  importReport: 'Download the refused rows and why',
};

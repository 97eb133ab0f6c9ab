/** The first record of a backup. */
export type BackupHeader = {
  kind: 'backup';
  /** The version of the program that wrote it. */
  version: string;
  created_at: string;
  cell: string;
  /** The migrations of the schema, in order. */
  migrations: { name: string; checksum: string }[];
  /** Base64 of a known text, sealed with the master key: what the key is checked with. */
  key_check: string;
};

/** A file of the data folder, the master key or a certificate. These come after the header. */
export type FileRecord = { kind: 'file'; path: string; content: string };

/** Comes before the rows of a table. */
export type TableRecord = { kind: 'table'; name: string; columns: string[] };

/** The last record: how many rows each table has, and where the sequences stand. */
export type EndRecord = {
  kind: 'end';
  rows: Record<string, number>;
  sequences: { name: string; value: number }[];
};

/** The text of `key_check`, and the context that it is sealed for. */
export const keyCheck = { text: 'parley', context: 'backup key check' };

/** Tables whose rows live for minutes, or only mean something on the running installation. */
export const notBackedUp: Record<string, string> = {
  migrations: 'the restore runs the migrations',
  conversation_watches: 'renewed every few seconds by open dashboards',
  password_attempts: 'counts attempts for minutes',
  'auth.session': 'people sign in again, so a session that was ended since does not come back',
  'auth.verification': 'codes and trusted devices, which are valid for minutes or can be renewed',
};

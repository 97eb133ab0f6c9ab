import type { FileRow } from '../media/transfer/file-rows.ts';

export type AppliedMigration = { name: string; checksum: string };
export type Sequence = { name: string; value: number };

/** The first record of a backup. */
export type BackupHeader = {
  kind: 'backup';
  /** The version of the program that wrote it. */
  version: string;
  created_at: string;
  cell: string;
  /** Whether a process of the service ran when it was written. Backups of 1.0.0 do not have it. */
  served?: boolean;
  /** The migrations of the schema, in order. */
  migrations: AppliedMigration[];
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
  sequences: Sequence[];
};

/** The text of `key_check`, and the context that it is sealed for. */
export const keyCheck = { text: 'parley', context: 'backup key check' };

/** Tables whose rows live for minutes, or only mean something on the running installation. */
export const notBackedUp: Record<string, string> = {
  migrations: 'the restore runs the migrations',
  conversation_watches: 'renewed every few seconds by open dashboards',
  media_folders: 'says which folder has the files, which are not in the backup',
  password_attempts: 'counts attempts for minutes',
  'auth.session': 'people sign in again, so a session that was ended since does not come back',
  'auth.verification': 'codes and trusted devices, which are valid for minutes or can be renewed',
};

/** The first record of a tenant's file, which is always encrypted: it has the tenant's secrets in clear text. */
export type TenantHeader = {
  kind: 'tenant';
  version: string;
  created_at: string;
  migrations: AppliedMigration[];
  /** Whether two installations have the same master key: a hash of a key derived from it. */
  key_hash: string;
  tenant: { id: number; slug: string } & Record<string, unknown>;
  accounts: Account[];
  secrets: Secret[];
  /** The messages up to this id are counted in `message_outcomes`. */
  counted_to: number;
};

/** A file that is kept. Its bytes follow, if it has `kept_at`. These come after the tables. */
export type KeptFileRecord = { kind: 'kept_file' } & FileRow;

/** The rows of a member's account in the schema `auth`. */
export type Account = {
  user: { id: string } & Record<string, unknown>;
  account: Record<string, unknown>[];
  twoFactor: (Record<string, unknown> & { secret: string; backupCodes: string })[];
};

/** The clear text of a sealed column. */
export type Secret = { table: string; id: number; column: string; value: string };

/** Tables that a tenant's file leaves out, with the reason. All others have a column `tenant_id`. */
export const notOfTenants: Record<string, string> = {
  ...notBackedUp,
  tenants: 'in the header',
  'auth."user"': 'in the header, for members',
  'auth.account': 'in the header, for members',
  'auth."twoFactor"': 'in the header, for members',
  tenant_moves: 'says in which cell the tenant is',
  kept_files: 'after the tables, each with its content',
  kept_file_totals: 'counts kept_files',
  message_walks: 'counts the messages of all tenants',
  schema_compatibility: 'belongs to the schema',
};

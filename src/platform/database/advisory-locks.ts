import sql from 'sql-template-tag';

// The keys of the advisory locks in Parley's database: arbitrary numbers, the same in every process.
// The locks of a tenant, an account or a move have the hash of a text as their key.

/** The lock of the process that migrates. */
export const migrationLock = 7_241_990_113;
/** The lock of the publisher. */
export const publisherLock = 731_905_267;

// The classes of locks that have an id. They are shared, so nobody waits for them, and they show other
// processes that this one lives, and what the class means.

/** The process runs. The id is the version of the schema that it was written for. */
export const schemaLockClass = 1_481_905;
/**
 * The process has these master keys. The id is from a hash of them (`keys-in-use.ts`). The command that generates a key
 * locks the id 0 alone.
 */
export const masterKeyLockClass = 1_481_908;
/** The process has stopped writing for a tenant. The id is that of the move. */
export const holdLockClass = 1_481_906;
/** A command may write for a tenant. The id is `commandLockId` of the tenant. */
export const commandLockClass = 1_481_907;
/** The process claims deliveries. The id identifies it in their leases. */
export const claimerLockClass = 731_905_266;

/** The subquery of all locks that have an id: `pid`, `classid` and `objid`. */
export const locksWithId = sql`
  (select pid, classid, objid from pg_locks
   where locktype = 'advisory' and objsubid = 2 and granted
     and database = (select oid from pg_database where datname = current_database()))`;

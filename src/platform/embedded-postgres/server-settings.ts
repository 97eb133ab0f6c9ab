import { totalmem } from 'node:os';

/** The cluster's own postgresql.conf. Our settings come first, so that the operator's win. */
export const mainConfiguration = `# Parley writes parley.conf again at every start.
include 'parley.conf'

# Your own settings go below this line.
`;

/** parley.conf: settings for a small machine and a service with many short transactions. */
export function serverSettings(memoryBytes = availableMemory()): string {
  const megabytes = Math.floor(memoryBytes / 2 ** 20);
  const sharedBuffers = Math.min(512, Math.max(64, Math.floor(megabytes / 16)));
  return `# Written by Parley at every start. Put changes into postgresql.conf.
# A process of Parley uses up to 45.
max_connections = 200
shared_buffers = ${sharedBuffers}MB
effective_cache_size = ${Math.max(128, Math.floor(megabytes / 2))}MB
work_mem = 4MB
maintenance_work_mem = ${Math.min(128, Math.max(32, Math.floor(megabytes / 32)))}MB
# PostgreSQL fills a new WAL file with zeros, and no transaction commits meanwhile: 50 to 80 ms.
# So WAL files are kept and reused.
max_wal_size = 512MB
min_wal_size = 512MB
checkpoint_timeout = 15min
autovacuum = on
autovacuum_naptime = 20s

# Statements are short: JIT compilation and parallel workers cost more than they save.
jit = off
max_parallel_workers_per_gather = 0
io_method = sync
max_logical_replication_workers = 0

timezone = 'UTC'
log_timezone = 'UTC'
lc_messages = 'C'
unix_socket_permissions = 0700

# Messages of the server itself, not the errors of clients, which contain customers' data.
log_min_messages = log
log_min_error_statement = panic
log_checkpoints = off
log_line_prefix = '%m [%p] '
`;
}

/** The memory of the machine, or the limit of the container. */
function availableMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

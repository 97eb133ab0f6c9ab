import { totalmem } from 'node:os';

/** The cluster's own postgresql.conf: ours first, so that whatever an operator adds wins. */
export const mainConfiguration = `# Parley writes parley.conf again at every start.
include 'parley.conf'

# Your own settings go below this line.
`;

/** parley.conf: what suits a small machine and a service with many short transactions. */
export function serverSettings(memoryBytes = availableMemory()): string {
  const megabytes = Math.floor(memoryBytes / 2 ** 20);
  const sharedBuffers = Math.min(512, Math.max(64, Math.floor(megabytes / 16)));
  return `# Written by Parley at every start. Put changes into postgresql.conf.
# A process of Parley takes up to some 25.
max_connections = 200
shared_buffers = ${sharedBuffers}MB
effective_cache_size = ${Math.max(128, Math.floor(megabytes / 2))}MB
work_mem = 4MB
maintenance_work_mem = ${Math.min(128, Math.max(32, Math.floor(megabytes / 32)))}MB
# A file of the log is filled with zeros when it is made, and nobody commits meanwhile: 50 to 80 ms.
# So those that were made are kept, and written anew.
max_wal_size = 512MB
min_wal_size = 512MB
checkpoint_timeout = 15min
autovacuum = on
autovacuum_naptime = 20s

# Short statements: compiling them, or spreading them over helper processes, costs more than it gives.
jit = off
max_parallel_workers_per_gather = 0
io_method = sync
max_logical_replication_workers = 0

timezone = 'UTC'
log_timezone = 'UTC'
lc_messages = 'C'
unix_socket_permissions = 0700

# What the server itself has to say, not the errors of clients: those carry customers' data.
log_min_messages = log
log_min_error_statement = panic
log_checkpoints = off
log_line_prefix = '%m [%p] '
`;
}

/** A container's limit where there is one. */
function availableMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/**
 * Runs a statement or transaction that stores message states, and runs it again after a race: a send completes
 * while the first callback of its message arrives, and both insert the state. `on conflict` covers the primary key,
 * but PostgreSQL may find the duplicate in the unique index on the network's id first. At the second run the row
 * exists.
 *
 * @param work has no effect outside the database
 */
export async function retryStateRace<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if ((error as { constraint?: string }).constraint !== 'message_states_network_id') throw error;
    return work();
  }
}

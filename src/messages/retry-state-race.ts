/**
 * Runs a statement or transaction that stores states once more, if another one stored the first state of the same
 * message at the same time: a send completes while its first callback arrives. `on conflict` covers the primary
 * key, but the network's id, which both insert, may be found taken first. The second time the row is there.
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

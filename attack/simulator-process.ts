import { startSimulator } from '../src/simulator/start-simulator.ts';

/** The simulated network in its own process, so that its memory does not count as the service's. */
const simulator = await startSimulator({});
process.on('SIGTERM', () => simulator.close().then(() => process.exit(0)));
process.send?.({ url: simulator.url });

/** Receives log lines about the start of the server. */
export type StartLog = { info(text: string): void; warn(text: string): void };

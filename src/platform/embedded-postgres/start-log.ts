/** Who is told what starting the server takes. */
export type StartLog = { info(text: string): void; warn(text: string): void };

/** An error response of the control API. */
export class ControlError extends Error {
  readonly http: number;

  constructor(http: number, message: string) {
    super(message);
    this.http = http;
  }
}

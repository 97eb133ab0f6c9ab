/**
 * The header with the client's address for better-auth. A client's own header of this name is never
 * forwarded.
 */
export const clientAddressHeader = 'x-parley-client';

/** How long codes are refused after ten wrong ones in a row. */
export const codeLockSeconds = 15 * 60;

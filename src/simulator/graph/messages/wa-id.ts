/** Extracts the digits of a phone in any notation. Returns null if it cannot be a phone. */
export function phoneDigits(input: string): string | null {
  if (!/^\+?[\d\s().-]+$/.test(input)) return null;
  const digits = input.replace(/\D/g, '');
  return digits.length >= 7 && digits.length <= 15 ? digits : null;
}

/**
 * Returns the network's id of a phone. It differs from the number in three countries:
 * many Brazilian mobiles lose their ninth digit, Argentine ones gain a 9 after 54, and Mexican
 * ones gain a 1 after 52.
 */
export function nationalWaId(digits: string): string {
  const brazil = /^55(\d\d)9(\d{8})$/.exec(digits);
  // Area codes below 31 (São Paulo, Rio, Espírito Santo) keep the ninth digit.
  if (brazil && Number(brazil[1]) >= 31) return `55${brazil[1]}${brazil[2]}`;
  if (/^54[1-8]\d{9}$/.test(digits)) return `549${digits.slice(2)}`;
  if (/^52[2-9]\d{9}$/.test(digits)) return `521${digits.slice(2)}`;
  return digits;
}

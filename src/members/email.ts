/** The pattern of better-auth at sign-in (zod's `z.email()`), which all existing accounts match. */
const emailPattern =
  /^(?:[a-z0-9_'+-]+\.)*[a-z0-9_'+-]*[a-z0-9_+-]@(?:[a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/;

/** Whether a text is an email address in lower case that an account can have. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && emailPattern.test(text);
}

/** Names the fields that the service writes in its own way. */
export function problemText(problem: string): string {
  return problem
    .replace(/^template_name is not a template of this account: /, 'There is no template ')
    .replace(/^template_name /, 'The template ')
    .replace(/^template_language /, 'The language of the template ')
    .replace(/^field_(\d+) /, 'Field $1 ');
}

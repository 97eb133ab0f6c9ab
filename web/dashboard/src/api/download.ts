/**
 * Downloads a file of the service, from its address. As a download, a file that is refused fails without leaving
 * the page.
 */
export function download(address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  link.click();
}

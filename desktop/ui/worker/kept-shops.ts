/** Where in the browser's own files a shop is kept. */
export function directoryOf(businessId: string): string {
	return `shops/${businessId}`;
}

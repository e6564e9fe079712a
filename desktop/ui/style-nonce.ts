/** The nonce for styles that the page inserts; the server makes one for each visit. */
export function styleNonce(): string {
	const meta = document.querySelector<HTMLMetaElement>(
		'meta[property="csp-nonce"]',
	);
	return meta?.nonce ?? "";
}

/** What a style must bear that the page makes for itself; the server gives each visit its own. */
export function styleNonce(): string {
	const meta = document.querySelector<HTMLMetaElement>(
		'meta[property="csp-nonce"]',
	);
	return meta?.nonce ?? "";
}

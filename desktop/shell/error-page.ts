import { escapeHtml } from "../../sync/receipts/html.ts";

/** The page that the window shows when the shop isn't running. */
export function errorPage(reason: string): string {
	return toAddress(
		"The shop on this computer didn't start",
		`<p>${escapeHtml(reason)}</p><p>Will retry automatically. Everything sold is safe.</p>`,
	);
}

export function openingPage(): string {
	return toAddress("Opening the shop…", "");
}

function toAddress(title: string, body: string): string {
	return `data:text/html;charset=utf-8,${encodeURIComponent(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Counterfoil</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 20vh auto; padding: 0 1rem; color: #222; background: #fff }
@media (prefers-color-scheme: dark) { body { color: #eee; background: #1a1b1e } }</style></head>
<body><h1>${escapeHtml(title)}</h1>${body}</body></html>`)}`;
}

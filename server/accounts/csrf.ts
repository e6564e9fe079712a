import type { Request } from "express";

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

export function isChange({ method }: Request): boolean {
	return !safeMethods.has(method);
}

/**
 * True for a request that a page of another site made a browser send. A browser names the page's origin in each request
 * that changes something; what names none and has no fetch metadata is no browser, and rides on nobody's cookie.
 */
export function isCrossSite({ headers }: Request): boolean {
	const site = headers["sec-fetch-site"];
	if (site !== undefined) return site !== "same-origin" && site !== "none";
	const { origin, host } = headers;
	if (origin === undefined) return false;
	return !URL.canParse(origin) || new URL(origin).host !== host;
}

import { createHmac, timingSafeEqual } from "node:crypto";
import type { Request } from "express";
import { HttpError } from "../http/http-error.ts";
import { isLoopback } from "../http/networks.ts";
import { limitsOf } from "./attempt-counter.ts";
import type { Attempts } from "./attempts.ts";

/** Wrong codes allowed per address in a quarter of an hour. */
const addressMax = 20;
/** Crockford's alphabet, without letters that look or sound alike. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const codeLength = 12;
/** Headers that proxies add: behind a proxy, a local connection may come from anywhere. */
const proxyHeaders = [
	"forwarded",
	"via",
	"x-forwarded-for",
	"x-forwarded-host",
	"x-forwarded-proto",
	"x-real-ip",
];

/** Controls who may create the first shop: a person at this machine, or with the code printed at start. */
export interface SetupGuard {
	/** A code like `7KQF-3M9P-X2TD`, derived from the secret and so the same at each start and in each process. */
	code: string;
	needsCode(request: Request): boolean;
	/** @throws HttpError 403 without the code, 429 after too many wrong ones */
	assertOpen(request: Request, code: string | null | undefined): Promise<void>;
}

export function openSetupGuard(
	authSecret: Uint8Array,
	attempts: Attempts,
): SetupGuard {
	const code = codeOf(authSecret);
	return {
		code,
		needsCode: (request) => !isLocal(request),
		async assertOpen(request, given) {
			if (isLocal(request)) return;
			if (!given)
				throw new HttpError(403, "Setup code required", {
					code: "setup_code_missing",
				});
			const limits = limitsOf(request.ip ?? "", addressMax);
			await attempts.take(
				limits,
				"Too many wrong setup codes, try again later",
			);
			if (isSame(given, code)) return attempts.giveBack(limits);
			throw new HttpError(403, "Wrong setup code", {
				code: "setup_code_wrong",
			});
		},
	};
}

function codeOf(authSecret: Uint8Array): string {
	const bytes = createHmac("sha256", authSecret).update("setup code").digest();
	const letters = [...bytes.subarray(0, codeLength)].map(
		(byte) => alphabet[byte % alphabet.length],
	);
	return letters.join("").replaceAll(/.{4}(?=.)/g, "$&-");
}

/** Compares a typed code, ignoring case and dashes. */
function isSame(given: string, code: string): boolean {
	const digest = (text: string) =>
		createHmac("sha256", "setup code")
			.update(text.toUpperCase().replaceAll(/[^0-9A-Z]/g, ""))
			.digest();
	return timingSafeEqual(digest(given), digest(code));
}

/**
 * Whether a request comes from this machine and names it as host. The connection's address alone is not enough, because
 * another site can point its name here (DNS rebinding).
 */
function isLocal({ headers, socket }: Request): boolean {
	return (
		isLoopback(socket.remoteAddress) &&
		isLocalName(headers.host) &&
		proxyHeaders.every((name) => headers[name] === undefined)
	);
}

function isLocalName(host = ""): boolean {
	const name = host.replace(/:\d*$/, "").toLowerCase();
	return /^(localhost|\[::1\]|127(\.\d{1,3}){3})$/.test(name);
}

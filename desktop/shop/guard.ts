import { timingSafeEqual } from "node:crypto";
import type { RequestHandler } from "express";
import { HttpError } from "../../server/http/http-error.ts";

/** The window's requests carry it; nothing else on this computer knows it. */
export const secretHeader = "x-counterfoil-window";

/**
 * Lets in only the till's own window, and no other program or user of this computer. Also checks the Host header, so that no
 * website gets in through a name that resolves to this computer (DNS rebinding).
 */
export function guardWindow(secret: string): RequestHandler {
	const expected = Buffer.from(secret);
	return ({ headers }, _response, next) => {
		const given = Buffer.from(String(headers[secretHeader] ?? ""));
		const isKnown =
			given.length === expected.length && timingSafeEqual(given, expected);
		const isHere = /^(localhost|127\.0\.0\.1)(:\d+)?$/.test(headers.host ?? "");
		next(
			isKnown && isHere
				? undefined
				: new HttpError(403, "Forbidden", { code: "forbidden" }),
		);
	};
}

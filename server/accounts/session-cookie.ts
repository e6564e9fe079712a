import type { Request, Response } from "express";
import { cookieNameOf } from "./authenticator.ts";
import { type Authenticated, lifetimeSeconds, type Tokens } from "./tokens.ts";

/** Signs a browser in for 30 days. */
export async function setSession(
	request: Request,
	response: Response,
	tokens: Tokens,
	authenticated: Authenticated,
): Promise<void> {
	const token = await tokens.sign(authenticated, "session");
	setCookie(request, response, token, lifetimeSeconds);
}

export function clearSession(request: Request, response: Response): void {
	setCookie(request, response, "", 0);
}

function setCookie(
	request: Request,
	response: Response,
	token: string,
	seconds: number,
): void {
	response.cookie(cookieNameOf(request), token, {
		httpOnly: true,
		sameSite: "lax",
		secure: request.secure,
		path: "/",
		maxAge: seconds * 1_000,
	});
}

import type { Request } from "express";
import { ShopError } from "../../sync/protocol/errors.ts";
import type { Caller } from "../../sync/shop.ts";
import { HttpError } from "../http/http-error.ts";
import type { Access, CallerByAccess, Operation } from "../http/operation.ts";
import type { Authenticator } from "./authenticator.ts";
import { isChange, isCrossSite } from "./csrf.ts";
import { assertRole } from "./roles.ts";

/**
 * Identifies an operation's caller and checks the access it requires.
 *
 * @returns the caller, as passed to `handle`
 * @throws HttpError 401, 403; ShopError `wrong_business`
 */
export async function authenticate(
	authenticator: Authenticator,
	{
		access,
		roles,
		fromAnySite,
	}: Pick<Operation, "access" | "roles" | "fromAnySite">,
	request: Request,
): Promise<CallerByAccess[Access]> {
	switch (access) {
		case "anyone":
			// Even without credentials, another site's page could do harm from inside the shop's network.
			if (!fromAnySite && isChange(request) && isCrossSite(request))
				throw new HttpError(403, "Forbidden", { code: "forbidden" });
			return {};
		case "userSession":
			return { identity: await authenticator.identifySession(request) };
		case "adminSession":
			return { identity: await authenticator.admin(request) };
		case "gateway":
			return { payer: await authenticator.payer(request) };
		case "member":
		case "memberSession": {
			const callers =
				access === "member"
					? await authenticator.memberships(request)
					: await authenticator.sessionMemberships(request);
			const caller = callerOf(callers, request);
			if (roles && caller) assertRole(caller, roles);
			return { caller, callers };
		}
	}
}

/**
 * The caller as a member of the business in `X-Business-Id`, or else of their first. The header keeps a page that still
 * shows one shop from writing to another one that its browser has signed in to since.
 */
function callerOf(
	callers: readonly Caller[],
	request: Request,
): Caller | undefined {
	const named = request.get("x-business-id");
	if (named === undefined) return callers[0];
	const caller = callers.find(({ businessId }) => businessId === named);
	if (!caller) throw new ShopError("wrong_business", "wrong_business");
	return caller;
}

import type { Role } from "../../sync/entities/entity.ts";
import type { Caller } from "../../sync/shop.ts";
import { HttpError } from "../http/http-error.ts";

/** Requires one of the roles. @throws HttpError 403 */
export function assertRole({ role }: Caller, allowed: readonly Role[]): void {
	if (!allowed.includes(role))
		throw new HttpError(403, "Forbidden", { code: "forbidden" });
}

import { HttpError } from "../errors.ts";

/** A name that says something (business API, "Exact 400 messages"). */
export function toName(value: unknown): string {
	if (typeof value !== "string" || value.trim() === "")
		throw new HttpError(400, "name required");
	return value;
}

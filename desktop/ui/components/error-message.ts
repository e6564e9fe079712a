import { ShopError, toPauseCode } from "../../../sync/protocol/errors.ts";
import { ApiError } from "../api.ts";

/** The message that a person sees for an error. */
export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/** Whether a failure came from the connection or the session; undefined if the error's own message says what is wrong. */
export function failureKindOf(
	error: unknown,
): "offline" | "session" | undefined {
	if (error instanceof ApiError)
		return error.isOffline
			? "offline"
			: error.isSessions
				? "session"
				: undefined;
	if (!(error instanceof ShopError)) return undefined;
	if (error.code === "unreachable") return "offline";
	return toPauseCode(error.code) && "session";
}

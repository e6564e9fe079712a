import { ShopError, toPauseCode } from "../../../sync/protocol/errors.ts";
import { ApiError } from "../api.ts";

/** What went wrong, as a person is told. */
export function whyOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/** Whether a failure is the line's or the session's; undefined for one that says itself what is wrong. */
export function hindranceOf(error: unknown): "offline" | "session" | undefined {
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

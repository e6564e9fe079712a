import { currentRequest } from "../../http/request-id.ts";
import type { GatewayError } from "../errors.ts";

/** The body of a failure, as Anthropic's clients read it. */
interface MessageError {
	type: "error";
	error: { type: string; message: string };
	request_id: string | null;
}

const typeByStatus: Record<number, string> = {
	401: "authentication_error",
	403: "permission_error",
	404: "not_found_error",
	413: "request_too_large",
	429: "rate_limit_error",
	503: "overloaded_error",
	504: "timeout_error",
};

export function toMessageError({
	status,
	message,
	details: { code },
}: GatewayError): MessageError {
	return {
		type: "error",
		error: {
			type:
				typeByStatus[status] ??
				(status >= 500 ? "api_error" : "invalid_request_error"),
			// Clients recognize these words, and then shorten the conversation.
			message:
				code === "context_length_exceeded"
					? `prompt is too long: ${message}`
					: message,
		},
		request_id: currentRequest()?.id ?? null,
	};
}

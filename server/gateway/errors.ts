import type { Fault, FaultKind } from "./fault.ts";

/** OpenAI's error body; its clients choose their exception by the status alone. */
interface ErrorBody {
	error: {
		message: string;
		type: string;
		param: string | null;
		code: string | null;
	};
}

interface Details {
	param?: string;
	code?: string;
	type?: string;
	retryAfterMs?: number;
	/** Tells client libraries whether to retry, where the status alone would mislead them. */
	shouldRetry?: boolean;
}

const typeByStatus: Record<number, string> = {
	401: "authentication_error",
	403: "permission_error",
	429: "rate_limit_error",
};

/** A gateway failure as the caller sees it. */
export class GatewayError extends Error {
	override readonly name = "GatewayError";
	readonly status: number;
	readonly details: Details;

	constructor(
		status: number,
		message: string,
		details: Details = {},
		options?: ErrorOptions,
	) {
		super(message, options);
		this.status = status;
		this.details = details;
	}
}

export function toErrorBody(
	status: number,
	message: string,
	{ param, code, type }: Details = {},
): ErrorBody {
	return {
		error: {
			message,
			type:
				type ??
				typeByStatus[status] ??
				(status >= 500 ? "server_error" : "invalid_request_error"),
			param: param ?? null,
			code: code ?? null,
		},
	};
}

const statusByKind: Record<FaultKind, [status: number, code: string | null]> = {
	offline: [503, "offline"],
	connect: [502, "upstream_unreachable"],
	overload: [429, "rate_limit_exceeded"],
	quota: [429, "provider_quota_exceeded"],
	model_quota: [429, "model_quota_exceeded"],
	server: [502, "upstream_error"],
	silent: [504, "timeout"],
	auth: [502, "provider_auth_failed"],
	forbidden: [502, "provider_forbids"],
	context: [400, "context_length_exceeded"],
	policy: [400, "content_policy_violation"],
	client: [400, null],
	missing: [502, "upstream_model_not_found"],
};

/**
 * Translates a provider's failure for the caller: the provider and the meaning, never addresses or keys. The gateway has
 * done all useful retries, so client libraries should not add their own.
 */
export function errorOfFault(
	fault: Fault,
	{ name, keyName }: { name: string; keyName: string },
): GatewayError {
	const [mapped, code] = statusByKind[fault.kind];
	// Some providers say "overloaded" where others say "too many requests".
	const status =
		fault.kind === "overload" && fault.status !== 429 ? 503 : mapped;
	const said =
		fault.kind === "auth"
			? `refused the key in ${keyName}`
			: fault.kind === "quota"
				? "has no credit left for the key of this server"
				: fault.message;
	return new GatewayError(
		status,
		`${name}: ${said}`,
		{
			param: fault.param,
			code:
				(status === 503 && code !== "offline" ? "overloaded" : code) ??
				undefined,
			type: fault.kind === "quota" ? "insufficient_quota" : undefined,
			retryAfterMs: fault.retryAfterMs,
			shouldRetry: status >= 429 ? false : undefined,
		},
		{ cause: fault },
	);
}

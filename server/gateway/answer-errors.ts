import type { ErrorRequestHandler } from "express";
import type { Logger } from "pino";
import { isStorageError } from "../../sync/protocol/errors.ts";
import { drain } from "../http/body.ts";
import { messageOf, retryAfterMs, statusOf } from "../http/errors.ts";
import { HttpError } from "../http/http-error.ts";
import { logRefusal } from "../http/refusals.ts";
import { GatewayError, toErrorBody } from "./errors.ts";
import { toMessageError } from "./messages-door/errors.ts";

/** Answers every failure of the gateway in OpenAI's error format, or in that of Anthropic's API. */
export function answerGatewayErrors(log: Logger): ErrorRequestHandler {
	return async (error, request, response, next) => {
		if (response.headersSent || response.destroyed) {
			next(error);
			return;
		}
		await drain(request);
		const refusal = toGatewayError(error);
		const { status, details } = refusal;
		if (status >= 500)
			log.error({ err: error, method: request.method, path: request.path });
		logRefusal(log, request, status);
		const { retryAfterMs, shouldRetry } = details;
		if (retryAfterMs !== undefined)
			response.set("Retry-After", String(Math.ceil(retryAfterMs / 1_000)));
		if (shouldRetry !== undefined)
			response.set("x-should-retry", String(shouldRetry));
		if (!request.complete) response.set("Connection", "close");
		response.status(status).json(errorBodyOf(request.originalUrl, refusal));
	};
}

/** The body of a failure, in the form of the API at that path. */
export function errorBodyOf(path: string, refusal: GatewayError): object {
	const { status, message, details } = refusal;
	return /^\/v1\/messages\b/.test(path)
		? toMessageError(refusal)
		: toErrorBody(status, message, details);
}

export function toGatewayError(error: unknown): GatewayError {
	if (error instanceof GatewayError) return error;
	const status = statusOf(error);
	const path = error instanceof HttpError ? error.path : undefined;
	return new GatewayError(status, messageOf(error), {
		param: path && toParam(path),
		code: codeByStatus[status],
		...(isStorageError(error) ? { retryAfterMs } : {}),
	});
}

const codeByStatus: Record<number, string> = {
	401: "invalid_api_key",
	404: "not_found",
	405: "method_not_allowed",
	413: "request_too_large",
};

/** @example toParam(["messages", 0, "role"]) === "messages[0].role" */
function toParam(path: readonly PropertyKey[]): string {
	return path
		.map((part) =>
			typeof part === "number" ? `[${part}]` : `.${String(part)}`,
		)
		.join("")
		.replace(/^\./, "");
}

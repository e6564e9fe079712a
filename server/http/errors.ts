import type { ErrorRequestHandler } from "express";
import type { Logger } from "pino";
import { type ErrorCode, ShopError } from "../../sync/protocol/errors.ts";
import {
	errorCodeHeader,
	errorFieldHeader,
} from "../../sync/protocol/request-errors.ts";
import { toStorageError } from "../../sync/store/storage-error.ts";
import { redactPaths } from "../redact-paths.ts";
import { drain } from "./body.ts";
import { HttpError } from "./http-error.ts";
import { logRefusal } from "./refusals.ts";

/** HTTP statuses of the core's refusals; other codes are faults and give 500. */
const statusByCode: Partial<Record<ErrorCode, number>> = {
	invalid_args: 400,
	forbidden: 403,
	wrong_business: 403,
	not_found: 404,
	id_reused: 409,
	already_voided: 409,
	over_refunded: 409,
	cart_taken: 409,
	code_taken: 409,
	on_server: 409,
	older_sales: 503,
	too_large: 413,
	storage_busy: 503,
	storage_failed: 503,
	storage_full: 507,
};

/** The Retry-After for an unavailable disk or database. */
export const retryAfterMs = 10_000;

/** Answers every failure as JSON with the one key `error` (ERR-3). */
export function answerErrors(log: Logger): ErrorRequestHandler {
	return async (thrown, request, response, _next) => {
		const { method } = request;
		// A receipt's code is a secret.
		const path = request.path.replace(/^\/r\/.*/, "/r/:id");
		if (response.headersSent) {
			// The headers are sent, so break the connection to show that the answer is incomplete.
			if (!response.destroyed) log.error({ err: thrown, method, path });
			response.destroy();
			return;
		}
		const error = toStorageError(thrown);
		await drain(request);
		const status = statusOf(error);
		// A 5xx with Retry-After is intended, not a failure of the server.
		const isAsked = error instanceof HttpError && error.retryAfterSeconds;
		if (status >= 500 && !isAsked) log.error({ err: error, method, path });
		const retryAfter = retryAfterOf(error, status);
		if (retryAfter !== undefined)
			response.set("Retry-After", String(retryAfter));
		response.set(codeHeaders(error));
		logRefusal(log, request, status);
		// The body is too long to drain, so close the connection after the answer.
		if (!request.complete) response.set("Connection", "close");
		// The answer may have been meant to be a file.
		response.removeHeader("Content-Disposition");
		response.type("json");
		response.status(status).json({ error: messageOf(error) });
	};
}

/** The failure's code and field for clients; the body is for developers. */
function codeHeaders(error: unknown): Record<string, string> {
	const { code, field } =
		error instanceof ShopError
			? error
			: error instanceof HttpError
				? { code: error.code, field: error.path?.map(String).join(".") }
				: {};
	return {
		...(code ? { [errorCodeHeader]: code } : {}),
		...(field ? { [errorFieldHeader]: encodeURIComponent(field) } : {}),
	};
}

function retryAfterOf(error: unknown, status: number): number | undefined {
	if (error instanceof HttpError && error.retryAfterSeconds !== undefined)
		return error.retryAfterSeconds;
	return status === 503 || status === 507 ? retryAfterMs / 1_000 : undefined;
}

export function statusOf(error: unknown): number {
	if (error instanceof HttpError) return error.status;
	if (error instanceof ShopError) return statusByCode[error.code] ?? 500;
	return isMalformedRequest(error) ? 400 : 500;
}

/** Whether Express failed to decode the path. */
function isMalformedRequest(error: unknown): boolean {
	return error instanceof URIError;
}

/** A fault's message without file paths. */
export function messageOf(error: unknown): string {
	if (error instanceof HttpError || error instanceof ShopError)
		return error.message;
	return redactPaths(error instanceof Error ? error.message : String(error));
}

import {
	type ErrorCode,
	errorCodes,
	ShopError,
	toPauseCode,
} from "../../../sync/protocol/errors.ts";
import {
	importLinesMax,
	type RequestErrorCode,
	requestErrorCodes,
} from "../../../sync/protocol/request-errors.ts";
import { ApiError } from "../api.ts";
import { type Say, say, type Word } from "../words/index.ts";
import { errorWords } from "./words.ts";

/** The message that a person sees for an error, in their language. */
export function messageOf(error: unknown): string {
	if (error instanceof ShopError || error instanceof ApiError)
		return wordsOf(error, say);
	return error instanceof Error ? error.message : String(error);
}

/** An error of the core or the server, also as a till's status reports it. */
interface Failure {
	code?: string | undefined;
	field?: string | undefined;
	message: string;
	status?: number;
}

/** What the words of some failures name. */
const limits = { lines: importLinesMax };

/** Words a failure by its field, its code or its status; the message is for developers, and the last resort. */
export function wordsOf(failure: Failure, say: Say): string {
	const word = wordOf(failure);
	return word ? say(word, limits) : failure.message;
}

function wordOf({ code, field, status }: Failure): Word | undefined {
	if (code === "invalid_args") return (field && wordOfField(field)) || generic;
	if (isKnown(code)) return `error.${code}`;
	const gatewayWord = code === undefined ? undefined : gatewayWords[code];
	return (
		gatewayWord ?? (status === undefined ? undefined : wordOfStatus(status))
	);
}

const generic = "error.invalid_args";

/** Whether a code says what is wrong, so that the message isn't needed. */
export function hasWords(code: string | undefined): boolean {
	return isKnown(code) || (code !== undefined && code in gatewayWords);
}

function isKnown(
	code: string | undefined,
): code is ErrorCode | RequestErrorCode {
	return [...errorCodes, ...requestErrorCodes].some((known) => known === code);
}

/** Fields that share another field's words. */
const sameFields: Record<string, string> = {
	delta: "quantity",
	cost: "buyingPrice",
	listPrice: "price",
	notes: "note",
	categoryId: "category",
	imageUrl: "picture",
	thumbnailUrl: "picture",
	receiptLogoUrl: "picture",
	receiptHeader: "receipt",
	receiptFooter: "receipt",
	appBudget: "monthlyBudget",
	memberRate: "requestsPerMinute",
};

/** @param path such as `set.sellingPrice` or `items.0.quantity` */
function wordOfField(path: string): Word | undefined {
	const names = path.split(".").reverse();
	const words = names.map((name) => `error.field.${sameFields[name] ?? name}`);
	return words.find(
		(word): word is Word & keyof typeof errorWords => word in errorWords,
	);
}

/** Codes of the AI gateway, which are OpenAI's and its own. */
const gatewayWords: Record<string, Word> = {
	offline: "error.ai_offline",
	upstream_unreachable: "error.ai_offline",
	overloaded: "error.ai_busy",
	rate_limit_exceeded: "error.ai_busy",
	model_quota_exceeded: "error.ai_busy",
	timeout: "error.ai_busy",
	upstream_error: "error.ai_busy",
	provider_quota_exceeded: "error.ai_budget",
	budget_exceeded: "error.ai_budget",
	context_length_exceeded: "error.ai_too_long",
	no_provider: "error.ai_not_set_up",
	model_not_found: "error.ai_not_set_up",
	upstream_model_not_found: "error.ai_not_set_up",
	provider_not_running: "error.ai_not_set_up",
	provider_not_configured: "error.ai_not_set_up",
	provider_auth_failed: "error.ai_not_set_up",
	provider_forbids: "error.ai_not_set_up",
	unsupported_value: "error.ai_not_set_up",
	ai_not_allowed: "error.ai_not_allowed",
	role_not_allowed: "error.ai_not_allowed",
	content_policy_violation: "error.ai_refused",
	upstream_stream_interrupted: "error.ai_broken",
	invalid_api_key: "error.unauthorized",
	request_too_large: "error.too_large",
};

function wordOfStatus(status: number): Word {
	switch (status) {
		case 0:
			return "error.unreachable";
		case 401:
			return "error.unauthorized";
		case 403:
			return "error.forbidden";
		case 404:
			return "error.not_found";
		case 413:
			return "error.too_large";
		case 429:
			return "error.too_many_tries";
		case 502:
		case 503:
		case 504:
			return "error.too_busy";
		case 507:
			return "error.storage_full";
		default:
			return status < 500 ? generic : "error.internal";
	}
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

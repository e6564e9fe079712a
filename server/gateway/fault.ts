/**
 * What a provider's failure means: whether to retry, whether to fail over to another model, and whether it counts against
 * the provider's health.
 */
export type FaultKind =
	| "offline"
	| "connect"
	| "overload"
	| "quota"
	| "model_quota"
	| "server"
	| "silent"
	| "auth"
	| "forbidden"
	| "context"
	| "policy"
	| "client"
	| "missing";

/** A kind of fault, or any other error. */
export type Failure = FaultKind | "other";

interface RetryPolicy {
	/** The most retries of the same model. */
	retries: number;
	/** Another model may succeed. */
	failsOver: boolean;
	/** Counts against the health of the provider and the model. */
	counts: boolean;
}

export const retryPolicyByKind: Record<FaultKind, RetryPolicy> = {
	offline: { retries: 0, failsOver: true, counts: false },
	connect: { retries: 1, failsOver: true, counts: true },
	overload: { retries: 2, failsOver: true, counts: true },
	quota: { retries: 0, failsOver: true, counts: true },
	// Covers one model only.
	model_quota: { retries: 0, failsOver: true, counts: true },
	server: { retries: 2, failsOver: true, counts: true },
	silent: { retries: 0, failsOver: true, counts: true },
	auth: { retries: 0, failsOver: true, counts: true },
	// Covers this model only, as far as is known.
	forbidden: { retries: 0, failsOver: true, counts: true },
	// A model with a wider window may take the prompt.
	context: { retries: 0, failsOver: true, counts: false },
	policy: { retries: 0, failsOver: false, counts: false },
	client: { retries: 0, failsOver: false, counts: false },
	missing: { retries: 0, failsOver: true, counts: true },
};

interface FaultOptions extends ErrorOptions {
	/** The provider's HTTP status, if it answered. */
	status?: number;
	/** The provider's Retry-After. */
	retryAfterMs?: number;
	param?: string;
	isReported?: boolean;
	mayBeBilled?: boolean;
}

/** A provider's failure, with a message that is safe to show: without keys and addresses. */
export class Fault extends Error {
	override readonly name = "Fault";
	kind: FaultKind;
	readonly status: number | undefined;
	retryAfterMs: number | undefined;
	readonly param: string | undefined;
	/** The provider said itself that it failed. */
	readonly isReported: boolean;
	/** The provider got the request and reported no failure, so it may charge for it. */
	mayBeBilled: boolean;

	constructor(kind: FaultKind, message: string, options: FaultOptions = {}) {
		super(showable(message), options);
		this.kind = kind;
		this.status = options.status;
		this.retryAfterMs = options.retryAfterMs;
		this.param = options.param;
		this.isReported = options.isReported ?? options.status !== undefined;
		this.mayBeBilled = options.mayBeBilled ?? false;
	}
}

const shownMax = 400;
const secrets =
	/\b(?:[a-z]+:\/\/\S+|(?:Bearer\s+)?(?:sk|pk|gsk|xai|pplx|csk|fw|tgp|key|AIza)[-_\w*.]{8,}|[A-Za-z0-9+_/=-]{32,})/gi;

/** Removes the addresses and parts of keys that providers repeat in their messages. */
function showable(message: string): string {
	const clean = message
		.replaceAll(secrets, "…")
		// PostgreSQL stores no NUL.
		.replaceAll(/[\s\p{Cc}]+/gu, " ")
		.trim();
	return clean.length > shownMax ? `${clean.slice(0, shownMax)}…` : clean;
}

/** Matches messages about the whole account's quota. */
const quotaText =
	/insufficient_quota|exceeded your current quota|credit balance|billing|payment required|usage limit|spend(ing)? limit|monthly|insufficient (balance|credits)|out of credits|all available credits|(no|any) credits/i;
const modelQuotaText = /per ?day|daily|\b[RT]PD\b|limit: 0\b/i;
const perMinuteText = /PerMinute/;
const contextText =
	/context[_ ]length|context window|maximum context|prompt is too long|too many tokens|input token count|exceeds? the (maximum|model|available context)|reduce the length|input is too long|token limit|max(imum)? (input|prompt) (tokens|length)|larger than the maximum|long context requests|request too large/i;
const policyText =
	/content[_ ](policy|filter|management)|safety (system|policy)|SAFETY_CHECK|usage (guidelines|polic)|flagged|moderation|responsible ai/i;
const keyText =
	/api[_ ]key[_ ](not valid|invalid)|invalid api[_ ]key|API_KEY_INVALID|incorrect api key|invalid[_ ]authentication/i;
const missingText =
	/model_not_found|access to (the |this )?model|model\b.{0,80}\b(not available|not exist|not found|unavailable|not supported|no access|not allowed|your plan)|(plan|tier)\b.{0,40}\bmodel/i;
const placeText = /user location|unsupported_country/i;
const overloadText = /overloaded|at capacity|try again later|temporarily/i;
const dayMs = 24 * 3_600_000;

/** Reads a response with an error status (RFC 9110, section 15, and the providers' own habits). */
export function faultOfStatus(
	status: number,
	body: unknown,
	headers: Record<string, string | string[] | undefined> = {},
): Fault {
	const message = messageIn(body) ?? `status ${status}`;
	const whole = typeof body === "string" ? body : JSON.stringify(body ?? "");
	const kind = kindOf(status, whole);
	// Google sends a retry delay even for a quota of zero.
	const retryAfterMs =
		kind === "model_quota" && /limit: 0\b/.test(whole)
			? dayMs
			: (readRetryAfter(headers) ?? retryDelayIn(whole));
	return new Fault(kind, message, { status, retryAfterMs });
}

function kindOf(status: number, text: string): FaultKind {
	if (status === 402) return "quota";
	if (status === 429) return kindOfTooMany(text);
	if (status === 403) return kindOfForbidden(text);
	if (status === 401 || status === 498) return "auth";
	if (status === 503 || status === 529) return "overload";
	if (status >= 500 || status === 408) return "server";
	// Groq answers so to a request larger than the model's tokens per minute.
	if (status === 413 && /tokens per minute|\bTPM\b/.test(text))
		return "context";
	if (contextText.test(text)) return "context";
	if (keyText.test(text)) return "auth";
	if (placeText.test(text)) return "forbidden";
	if (policyText.test(text)) return "policy";
	if (/credit balance|API usage limits/i.test(text)) return "quota";
	if (status === 404) return "missing";
	// A redirect is never followed: it would carry the key elsewhere.
	if (status < 400) return "server";
	return "client";
}

/** Google uses one status for the limits of a minute, a day and the account, and names the limit in the details. */
function kindOfTooMany(text: string): FaultKind {
	if (contextText.test(text)) return "context";
	if (modelQuotaText.test(text)) return "model_quota";
	if (perMinuteText.test(text)) return "overload";
	return quotaText.test(text) ? "quota" : "overload";
}

/** A 403 may be about the prompt, the model, or the key. */
function kindOfForbidden(text: string): FaultKind {
	if (policyText.test(text)) return "policy";
	if (quotaText.test(text)) return "quota";
	if (missingText.test(text)) return "missing";
	return keyText.test(text) ? "auth" : "forbidden";
}

/** Reads a failure that has only a text: in a stream, or in a response with status 200. */
export function faultOfText(body: unknown): Fault {
	const text = typeof body === "string" ? body : JSON.stringify(body ?? "");
	const code = (body as { code?: unknown } | null)?.code;
	const message = messageIn(body) ?? "failed mid-answer";
	const isReported = true;
	if (typeof code === "number" && code >= 400)
		return new Fault(kindOf(code, text), message, { isReported, status: code });
	if (contextText.test(text))
		return new Fault("context", message, { isReported });
	if (overloadText.test(text) || /rate.?limit/i.test(text))
		return new Fault("overload", message, {
			isReported,
			retryAfterMs: retryDelayIn(text),
		});
	const kind = quotaText.test(text) ? "quota" : "server";
	return new Fault(kind, message, { isReported });
}

/** Providers wrap their messages in at least six ways. */
function messageIn(body: unknown): string | undefined {
	if (typeof body === "string") return body.trim() === "" ? undefined : body;
	if (Array.isArray(body)) return messageIn(body[0]);
	if (typeof body !== "object" || body === null) return undefined;
	const { error, message, detail, msg } = body as Record<string, unknown>;
	return (
		messageIn(message) ??
		messageIn(error) ??
		messageIn(detail) ??
		messageIn(msg)
	);
}

/** Reads seconds or a date (RFC 9110, section 10.2.3), or the milliseconds that some providers send. */
function readRetryAfter(
	headers: Record<string, string | string[] | undefined>,
): number | undefined {
	const ms = Number(headers["retry-after-ms"]);
	if (Number.isFinite(ms) && ms > 0) return ms;
	const value = headers["retry-after"];
	if (typeof value !== "string") return undefined;
	const seconds = Number(value);
	if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000);
	const at = Date.parse(value);
	return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

const msByUnit: Record<string, number> = {
	ms: 1,
	s: 1_000,
	m: 60_000,
	h: 3_600_000,
	d: dayMs,
};

/** Reads Google's `RetryInfo`, such as "37s", or a text: "try again in 9m38.016s", "You will regain access on 2026-12-01". */
function retryDelayIn(text: string): number | undefined {
	const [, delay] =
		/"retryDelay":"([\d.]+s)"/.exec(text) ??
		/(?:try again|retry) in ((?:\d+(?:\.\d+)?(?:ms|[smhd])\s?)+)/i.exec(text) ??
		[];
	if (delay !== undefined)
		return Array.from(delay.matchAll(/([\d.]{1,30})(ms|[smhd])/g)).reduce(
			(sum, [, count, unit = ""]) =>
				sum + Number(count) * (msByUnit[unit] ?? 0),
			0,
		);
	const [, day, time] =
		/regain access on (\d{4}-\d\d-\d\d)(?: at (\d\d:\d\d))?/i.exec(text) ?? [];
	if (day === undefined) return undefined;
	return Math.max(0, Date.parse(`${day}T${time ?? "00:00"}Z`) - Date.now());
}

const offlineCodes = new Set([
	"ENOTFOUND",
	"EAI_AGAIN",
	"EAI_NODATA",
	"ENETUNREACH",
	"ENETDOWN",
	"EHOSTUNREACH",
	"EHOSTDOWN",
]);

/** Reads the error of a call that got no response. */
export function faultOfConnection(error: unknown): Fault {
	const code = codeOf(error);
	if (code !== undefined && offlineCodes.has(code))
		return new Fault("offline", "can't be reached", { cause: error });
	return new Fault("connect", `the connection failed (${code ?? "reset"})`, {
		cause: error,
	});
}

function codeOf(error: unknown): string | undefined {
	if (!(error instanceof Error)) return undefined;
	if (error instanceof AggregateError) return codeOf(error.errors[0]);
	const { code } = error as NodeJS.ErrnoException;
	return code ?? codeOf(error.cause);
}

export function failureOf(error: unknown): Failure {
	if (error instanceof Fault) return error.kind;
	return error instanceof Error && error.cause !== undefined
		? failureOf(error.cause)
		: "other";
}

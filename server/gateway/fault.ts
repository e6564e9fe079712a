/**
 * What a failure of a provider means for the one who asked it: whether the same may be tried again, whether another model
 * may be asked in its place, and whether it counts against the provider.
 */
export type FaultKind =
	| "offline"
	| "connect"
	| "overload"
	| "quota"
	| "server"
	| "silent"
	| "auth"
	| "context"
	| "policy"
	| "client"
	| "missing";

interface Conduct {
	/** How often the same model is asked again. */
	retries: number;
	/** Another model may do. */
	failsOver: boolean;
	/** It counts against the health of provider and model. */
	counts: boolean;
}

export const conductByKind: Record<FaultKind, Conduct> = {
	offline: { retries: 0, failsOver: true, counts: false },
	connect: { retries: 1, failsOver: true, counts: true },
	overload: { retries: 2, failsOver: true, counts: true },
	quota: { retries: 0, failsOver: true, counts: true },
	server: { retries: 2, failsOver: true, counts: true },
	silent: { retries: 0, failsOver: true, counts: true },
	auth: { retries: 0, failsOver: true, counts: true },
	// A model of a wider window might do.
	context: { retries: 0, failsOver: true, counts: false },
	policy: { retries: 0, failsOver: false, counts: false },
	client: { retries: 0, failsOver: false, counts: false },
	missing: { retries: 0, failsOver: true, counts: true },
};

interface FaultOptions extends ErrorOptions {
	/** As the provider answered, where it did. */
	status?: number;
	/** When the provider wants to be asked again. */
	retryAfterMs?: number;
	param?: string;
	mayBeBilled?: boolean;
}

/** A provider's failure. Its message is fit to be shown: without keys and addresses. */
export class Fault extends Error {
	override readonly name = "Fault";
	kind: FaultKind;
	readonly status: number | undefined;
	retryAfterMs: number | undefined;
	readonly param: string | undefined;
	/** It was asked, and did not say that it failed: it may have worked, and ask to be paid. */
	mayBeBilled: boolean;

	constructor(kind: FaultKind, message: string, options: FaultOptions = {}) {
		super(showable(message), options);
		this.kind = kind;
		this.status = options.status;
		this.retryAfterMs = options.retryAfterMs;
		this.param = options.param;
		this.mayBeBilled = options.mayBeBilled ?? false;
	}
}

const shownMax = 400;
const secrets =
	/\b(?:[a-z]+:\/\/\S+|(?:Bearer\s+)?(?:sk|pk|gsk|xai|pplx|csk|fw|tgp|key|AIza)[-_\w*.]{8,}|[A-Za-z0-9+_/=-]{32,})/gi;

/** Providers repeat addresses and parts of keys in their messages. */
function showable(message: string): string {
	const clean = message.replaceAll(secrets, "…").replaceAll(/\s+/g, " ").trim();
	return clean.length > shownMax ? `${clean.slice(0, shownMax)}…` : clean;
}

const quotaText =
	/insufficient_quota|exceeded your current quota|credit balance|billing|payment required|usage limit|spend(ing)? limit|per ?day|daily|insufficient (balance|credits)|out of credits/i;
const contextText =
	/context[_ ]length|context window|maximum context|prompt is too long|too many tokens|input token count|exceeds? the (maximum|model|available context)|reduce the length|input is too long|token limit|max(imum)? (input|prompt) (tokens|length)|larger than the maximum/i;
const policyText =
	/content[_ ](policy|filter|management)|safety (system|policy)|flagged|moderation|responsible ai/i;
const keyText =
	/api[_ ]key[_ ](not valid|invalid)|invalid api[_ ]key|API_KEY_INVALID/i;
const overloadText = /overloaded|at capacity|try again later|temporarily/i;

/** What an answer of another status than success means (RFC 9110, section 15; and what providers make of it). */
export function faultOfStatus(
	status: number,
	body: unknown,
	headers: Record<string, string | string[] | undefined> = {},
): Fault {
	const message = messageIn(body) ?? `status ${status}`;
	const whole = typeof body === "string" ? body : JSON.stringify(body ?? "");
	const retryAfterMs = readRetryAfter(headers) ?? retryDelayIn(body);
	return new Fault(kindOf(status, whole), message, { status, retryAfterMs });
}

function kindOf(status: number, text: string): FaultKind {
	if (status === 402) return "quota";
	if (status === 429) return quotaText.test(text) ? "quota" : "overload";
	// Some forbid what was asked, and not the one who asks.
	if (status === 403 && policyText.test(text)) return "policy";
	if (status === 401 || status === 403 || status === 498) return "auth";
	if (status === 503 || status === 529) return "overload";
	if (status >= 500 || status === 408) return "server";
	if (contextText.test(text)) return "context";
	if (keyText.test(text)) return "auth";
	if (policyText.test(text)) return "policy";
	if (/credit balance/i.test(text)) return "quota";
	if (status === 404) return "missing";
	// A redirect is never followed: it would carry the key elsewhere.
	if (status < 400) return "server";
	return "client";
}

/** A failure that is told in words only: in a stream, or under a status of success. */
export function faultOfText(body: unknown): Fault {
	const text = typeof body === "string" ? body : JSON.stringify(body ?? "");
	const code = (body as { code?: unknown } | null)?.code;
	const message = messageIn(body) ?? "failed in mid-answer";
	if (typeof code === "number" && code >= 400)
		return new Fault(kindOf(code, text), message, { status: code });
	if (overloadText.test(text) || /rate.?limit/i.test(text))
		return new Fault("overload", message);
	if (quotaText.test(text)) return new Fault("quota", message);
	if (contextText.test(text)) return new Fault("context", message);
	return new Fault("server", message);
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

/** Seconds or a date (RFC 9110, section 10.2.3), or the milliseconds that some send. */
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

/** Google's `RetryInfo`, such as "37s". */
function retryDelayIn(body: unknown): number | undefined {
	if (typeof body !== "object" || body === null) return undefined;
	const found = /"retryDelay":"([\d.]+)s"/.exec(JSON.stringify(body));
	return found ? Number(found[1]) * 1_000 : undefined;
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

/** What a call that never got an answer failed of. */
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

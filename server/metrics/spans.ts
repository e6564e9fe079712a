import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import counterfoil from "../../package.json" with { type: "json" };
import type { CallRecord } from "../gateway/call-record.ts";
import type { Meter, Reservation } from "../gateway/meter.ts";
import { toDollars } from "../gateway/prices.ts";

/** Where spans go: an OpenTelemetry collector, by the settings that all its programs share. */
export interface Collector {
	/** The base address, such as `http://localhost:4318`. */
	url: string;
	headers: Record<string, string>;
	serviceName: string;
}

/** Sends a span for each call of the AI gateway, with the GenAI attributes of OpenTelemetry: never what was asked or answered. */
export interface Spans {
	/** A meter that also makes a span of what it settles. */
	tracing(meter: Meter): Meter;
	/** Sends what is left. */
	close(): Promise<void>;
}

const sendMs = 5_000;
const timeoutMs = 2_000;
const waitingMax = 4_096;
/** Statuses after which OTLP lets a client try again. */
const mayHelp = new Set([429, 502, 503, 504]);
const kindClient = 3;
const statusError = 2;

/** Providers whose names in the conventions differ from ours. */
const names: Record<string, string> = {
	google: "gcp.gemini",
	mistral: "mistral_ai",
	xai: "x_ai",
};

/** @param collector undefined sends nothing */
export function openSpans(
	collector: Collector | undefined,
	log: Logger,
): Spans | undefined {
	if (!collector) return undefined;
	const { url, headers, serviceName } = collector;
	const address = `${url.replace(/\/$/, "")}/v1/traces`;
	let waiting: object[] = [];
	let timer: NodeJS.Timeout | undefined;
	let isFailing = false;

	async function send(): Promise<void> {
		clearTimeout(timer);
		timer = undefined;
		const spans = waiting;
		if (spans.length === 0) return;
		waiting = [];
		try {
			const response = await fetch(address, {
				method: "POST",
				headers: { ...headers, "content-type": "application/json" },
				body: JSON.stringify(toRequest(serviceName, spans)),
				signal: AbortSignal.timeout(timeoutMs),
			});
			await response.body?.cancel();
			const { ok, status } = response;
			if (ok) isFailing = false;
			else fail(`The collector answered ${status}`, mayHelp.has(status), spans);
		} catch (err) {
			fail(err, true, spans);
		}
	}

	/** Spans are no records: the newest are kept for another try, and an outage is logged once. */
	function fail(err: unknown, isKept: boolean, spans: object[]): void {
		if (!isFailing) log.warn({ err }, "Spans can't be sent");
		isFailing = true;
		if (!isKept) return;
		waiting = spans.concat(waiting).slice(-waitingMax);
		schedule();
	}

	function schedule(): void {
		timer ??= setTimeout(() => void send(), sendMs).unref();
	}

	return {
		tracing: (meter) => ({
			...meter,
			settle(reservation, record) {
				waiting.push(toSpan(reservation, record, Date.now()));
				if (waiting.length > waitingMax) waiting.shift();
				schedule();
				meter.settle(reservation, record);
			},
		}),
		async close() {
			await send();
			clearTimeout(timer);
		},
	};
}

/** The trace has the call's id, so that one finds the other. */
function toSpan(
	{ id, payer }: Reservation,
	record: CallRecord,
	now: number,
): object {
	const { operation, askedModel, model, failure, status } = record;
	const [provider = "", ...rest] = model?.split("/") ?? [];
	const nanos = (ms: number) => `${ms}000000`;
	return {
		traceId: id.replaceAll("-", ""),
		spanId: randomBytes(8).toString("hex"),
		name: `${operation} ${askedModel}`,
		kind: kindClient,
		startTimeUnixNano: nanos(now - record.durationMs),
		endTimeUnixNano: nanos(now),
		attributes: toAttributes({
			"gen_ai.operation.name": operation,
			"gen_ai.provider.name": model && (names[provider] ?? provider),
			"gen_ai.request.model": askedModel,
			"gen_ai.response.model": model && rest.join("/"),
			"gen_ai.usage.input_tokens": record.promptTokens,
			"gen_ai.usage.output_tokens": record.completionTokens,
			"error.type": failure,
			"counterfoil.outcome": status,
			"counterfoil.key": payer.key?.id,
			"counterfoil.cache": record.cache,
			"counterfoil.route": record.route,
			"counterfoil.attempts": record.attempts,
			"counterfoil.first_token_ms": record.firstTokenMs,
			"counterfoil.cost_usd": { doubleValue: toDollars(record.cost) },
		}),
		...(status === "failed" && { status: { code: statusError } }),
	};
}

function toAttributes(
	of: Record<string, string | number | object | null | undefined>,
): object[] {
	return Object.entries(of).flatMap(([key, value]) =>
		value === null || value === undefined
			? []
			: {
					key,
					value:
						typeof value === "string"
							? { stringValue: value }
							: // Protocol buffers write 64-bit numbers as texts.
								typeof value === "number"
								? { intValue: String(value) }
								: value,
				},
	);
}

/** An export request of OTLP in JSON. */
function toRequest(serviceName: string, spans: object[]): object {
	const { version } = counterfoil;
	const attributes = toAttributes({
		"service.name": serviceName,
		"service.version": version,
	});
	const scope = { name: "counterfoil.gateway", version };
	return {
		resourceSpans: [
			{ resource: { attributes }, scopeSpans: [{ scope, spans }] },
		],
	};
}

import type { IncomingHttpHeaders } from "node:http";
import * as z from "zod";
import { listOf } from "../environment.ts";
import type { AnswerInfo, ChatAnswer, ChatCall } from "./call.ts";
import type { ChatRequest, Completion } from "./chat.ts";
import { GatewayError } from "./errors.ts";
import type { EventWriter } from "./event-stream.ts";
import type { Payer } from "./meter.ts";
import { policies } from "./settings.ts";

/** How one API writes an answer, as a whole or as a stream. */
interface Writer extends EventWriter {
	whole(completion: Completion): object;
}

/** A request as one of the gateway's APIs has read it. */
export interface ApiRequest {
	chat: ChatRequest;
	/** Opens the writer at the first content, with the model that answers. */
	open(model: string): Writer;
	/** What the request lost when it was translated. */
	dropped?: readonly string[];
	temperatureDefault?: number;
}

/** Reads a stored request again, as the API that it came through. @throws if it can't be read */
export type Reader = (
	payer: Payer,
	sent: unknown,
) => ApiRequest | Promise<ApiRequest>;

/** Writes a whole answer in the form of its API. */
export async function writeWhole(
	{ info, parts }: ChatAnswer,
	{ open, dropped }: ApiRequest,
): Promise<{ headers: Record<string, string>; text: string }> {
	const { value } = await parts().next();
	return {
		headers: headersOf(info, dropped),
		text: JSON.stringify(open(info.model).whole(value as Completion)),
	};
}

export function headersOf(
	info: AnswerInfo,
	dropped: readonly string[] = [],
): Record<string, string> {
	const report = [...dropped, ...info.report];
	return {
		"x-gateway-model": toHeader(info.model),
		"x-gateway-route": toHeader(info.route),
		"x-gateway-attempts": String(info.attempts),
		"x-gateway-cache": info.cache,
		...(info.ageSeconds === undefined ? {} : { age: String(info.ageSeconds) }),
		...(info.failed.length > 0 && {
			"x-gateway-failed": toHeader(info.failed.join(", ")),
		}),
		...(report.length > 0 && {
			"x-gateway-params": toHeader(report.join(", ")),
		}),
	};
}

/** Clients refuse an answer with more than some 16 kB of headers, and a caller chooses the names in them. */
const headerMax = 4_000;

/** Names of models and of a schema's words may have letters that no header takes. */
function toHeader(text: string): string {
	const safe = text.replaceAll(/[^\x20-\x7e]/g, "?");
	if (safe.length <= headerMax) return safe;
	const shown = safe.slice(0, headerMax);
	return `${shown.slice(0, shown.lastIndexOf(","))}, and others`;
}

const options = z.object({
	"x-gateway-policy": z.enum(policies).optional(),
	"x-gateway-cache": z.enum(["on", "off", "refresh"]).optional(),
	"x-gateway-cache-seconds": z.coerce
		.number()
		.int()
		.min(1)
		.max(31_536_000)
		.optional(),
	"x-gateway-fallback": z.string().transform(listOf).optional(),
	"x-gateway-rescue": z.enum(["on", "off"]).optional(),
});

/** The request headers that `readOptions` reads. */
export const optionNames = Object.keys(options.shape);

/** @throws GatewayError 400 naming the header */
export function readHeaders<S extends z.ZodType>(
	schema: S,
	headers: IncomingHttpHeaders,
): z.output<S> {
	const parsed = schema.safeParse(headers);
	if (parsed.success) return parsed.data;
	const [issue] = parsed.error.issues;
	const name = String(issue?.path[0]);
	throw new GatewayError(400, `${name}: ${issue?.message}`, { param: name });
}

/** Reads the gateway's options from the request headers. @throws GatewayError 400 naming the header */
export function readOptions(
	headers: IncomingHttpHeaders,
): Pick<ChatCall, "policy" | "cache" | "cacheSeconds" | "fallback" | "rescue"> {
	if (!Object.keys(headers).some((name) => name.startsWith("x-gateway-")))
		return {};
	const given = readHeaders(options, headers);
	return {
		policy: given["x-gateway-policy"],
		cache: given["x-gateway-cache"],
		cacheSeconds: given["x-gateway-cache-seconds"],
		fallback: given["x-gateway-fallback"],
		rescue: given["x-gateway-rescue"],
	};
}

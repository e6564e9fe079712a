import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import {
	compactMax,
	compactType,
	fromCompact,
} from "../../sync/protocol/compact.ts";
import type { Arrival } from "./arrivals.ts";
import { HttpError } from "./http-error.ts";
import type { Operation } from "./operation.ts";

/** The default limit of a request body. */
export const bodyMaxBytes = 1_000_000;
/** The limit where anybody may send one: strangers could fill the memory with bodies that they never finish. */
export const strangersBodyMaxBytes = 20_000;
/** Deeper than any legitimate body, and far below the depth that exhausts the stack. */
const depthMax = 64;
/** The most of a refused body that is still read, so that the sender gets the answer and not a broken pipe. */
const drainMaxBytes = 64_000_000;
const drainMaxMs = 10_000;

/**
 * Reads a JSON body as an object of unknown fields; other JSON values count as an empty object.
 *
 * @throws HttpError 400 if the body is not UTF-8, not JSON, or nested too deeply
 */
export function parseJson(
	bytes: Uint8Array,
	how: Parsing = {},
): Record<string, unknown> {
	const body = parse(bytes, how);
	return typeof body === "object" && body !== null && !Array.isArray(body)
		? (body as Record<string, unknown>)
		: {};
}

/** Reads the fields of a form or a JSON body, by its content type. */
export function parseFields(
	request: IncomingMessage,
	bytes: Uint8Array,
): Record<string, unknown> {
	if (!isForm(request)) return parseJson(bytes);
	return Object.fromEntries(new URLSearchParams(decode(bytes)));
}

export function isForm({ headers }: IncomingMessage): boolean {
	const type = headers["content-type"] ?? "";
	return type.startsWith("application/x-www-form-urlencoded");
}

/**
 * Reads the JSON of a till's message, which may be in the compact form or in gzip.
 *
 * @throws HttpError 413 if the bytes or the JSON are over the limit; 400 if they are in neither form
 */
export async function readMessage(
	request: IncomingMessage,
	maxBytes = bodyMaxBytes,
	begin: Begin,
): Promise<Buffer> {
	const { "content-type": type, "content-encoding": coding } = request.headers;
	if (type === compactType)
		return spell(await readBytes(request, compactMax, begin));
	const bytes = await readBytes(request, maxBytes, begin);
	return coding === "gzip" ? decompress(bytes, maxBytes) : bytes;
}

function spell(bytes: Uint8Array): Buffer {
	try {
		return Buffer.from(fromCompact(bytes));
	} catch (cause) {
		throw invalidBody(cause);
	}
}

const unzip = promisify(gunzip);

async function decompress(bytes: Buffer, maxBytes: number): Promise<Buffer> {
	try {
		return await unzip(bytes, { maxOutputLength: maxBytes });
	} catch (cause) {
		const { code } = cause as NodeJS.ErrnoException;
		throw code === "ERR_BUFFER_TOO_LARGE"
			? tooLarge(maxBytes)
			: invalidBody(cause);
	}
}

/** Counts a body among those on their way. */
type Begin = (giveUp: (why: Error) => void) => Arrival;

/** @throws HttpError 413 over the limit; 503 if the body has to make room for others */
export async function readBytes(
	request: IncomingMessage,
	maxBytes = bodyMaxBytes,
	begin: Begin,
): Promise<Buffer> {
	const declared = Number(request.headers["content-length"] ?? 0);
	if (declared > maxBytes) throw tooLarge(maxBytes);
	let chunks: Buffer[] = [];
	let arrival: Arrival | undefined;
	const reading = new Promise<Buffer>((resolve, reject) => {
		const giveUp = (why: Error) => {
			request.removeAllListeners("data");
			chunks = [];
			reject(why);
		};
		arrival = begin(giveUp);
		let length = 0;
		request.on("data", (chunk: Buffer) => {
			length += chunk.length;
			if (length > maxBytes) {
				giveUp(tooLarge(maxBytes));
				return;
			}
			chunks.push(chunk);
			arrival?.add(chunk.length);
		});
		request.on("end", () => resolve(Buffer.concat(chunks)));
		request.on("error", reject);
		request.on("aborted", () => reject(invalidBody()));
	});
	return reading.finally(() => arrival?.end());
}

/** Reads and discards the rest of a refused body. */
export async function drain(request: IncomingMessage): Promise<void> {
	if (request.complete || request.destroyed) return;
	// A body this large is cut off.
	if (Number(request.headers["content-length"]) > drainMaxBytes) return;
	await new Promise<void>((resolve) => {
		const timer = setTimeout(resolve, drainMaxMs);
		let length = 0;
		request.on("data", (chunk: Buffer) => {
			length += chunk.length;
			if (length > drainMaxBytes) resolve();
		});
		request.on("close", resolve);
		request.on("end", resolve);
		request.on("end", () => clearTimeout(timer));
		request.resume();
	});
}

type Parsing = Pick<Operation, "parse" | "valuesMax">;

function parse(
	bytes: Uint8Array,
	{ parse: parseText = JSON.parse, valuesMax = Infinity }: Parsing,
): unknown {
	const { depth, values } = shapeOf(bytes);
	if (depth > depthMax) throw invalidBody();
	if (values > valuesMax)
		throw new HttpError(400, `The body must have at most ${valuesMax} values`);
	const text = decode(bytes);
	try {
		return parseText(text);
	} catch (cause) {
		throw invalidBody(cause);
	}
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decode(bytes: Uint8Array): string {
	try {
		return utf8.decode(bytes);
	} catch (cause) {
		throw invalidBody(cause);
	}
}

function tooLarge(maxBytes: number): HttpError {
	return new HttpError(413, `The body must be at most ${maxBytes} bytes`);
}

function invalidBody(cause?: unknown): HttpError {
	return new HttpError(400, "Invalid request body", { cause });
}

/**
 * Measures the deepest nesting of brackets outside strings, before any parser recurses into them, and counts the values that
 * they hold.
 */
function shapeOf(bytes: Uint8Array): { depth: number; values: number } {
	let depth = 0;
	let deepest = 0;
	let values = 0;
	let inString = false;
	for (let i = 0; i < bytes.length; i += 1) {
		const byte = bytes[i];
		if (inString) {
			if (byte === 0x5c) i += 1;
			else if (byte === 0x22) inString = false;
		} else if (byte === 0x22) inString = true;
		else if (byte === 0x5b || byte === 0x7b) {
			depth += 1;
			values += 1;
			if (depth > deepest) deepest = depth;
		} else if (byte === 0x5d || byte === 0x7d) depth -= 1;
		else if (byte === 0x2c) values += 1;
	}
	return { depth: deepest, values };
}

import type { IncomingMessage } from "node:http";
import {
	compactMax,
	compactType,
	fromCompact,
} from "../../sync/protocol/compact.ts";
import { HttpError } from "./http-error.ts";

/** The default limit of a request body. */
export const bodyMaxBytes = 1_000_000;
/** Deeper than any legitimate body, and far below the depth that exhausts the stack. */
const depthMax = 64;
/** The most of a refused body that is still read, so that the sender gets the answer and not a broken pipe. */
const drainMaxBytes = 64_000_000;
const drainMaxMs = 10_000;

/**
 * Reads a JSON body as an object of unknown fields; other JSON values count as an empty object.
 *
 * @throws HttpError 413 over the limit; 400 if the body is not UTF-8, not JSON, or nested too deeply
 */
export async function readJson(
	request: IncomingMessage,
	maxBytes = bodyMaxBytes,
): Promise<Record<string, unknown>> {
	return toFields(parseJson(await readBytes(request, maxBytes)));
}

/** Reads JSON or its compact form, by the content type. */
export async function readMessage(
	request: IncomingMessage,
	maxBytes = bodyMaxBytes,
): Promise<Record<string, unknown>> {
	if (request.headers["content-type"] !== compactType)
		return readJson(request, maxBytes);
	const bytes = await readBytes(request, compactMax);
	return toFields(parseJson(Buffer.from(spell(bytes))));
}

function toFields(body: unknown): Record<string, unknown> {
	return typeof body === "object" && body !== null && !Array.isArray(body)
		? (body as Record<string, unknown>)
		: {};
}

function spell(bytes: Uint8Array): string {
	try {
		return fromCompact(bytes);
	} catch (cause) {
		throw invalidBody(cause);
	}
}

/** Reads the fields of a form or a JSON body, by its content type. */
export async function readFields(
	request: IncomingMessage,
	maxBytes = bodyMaxBytes,
): Promise<Record<string, unknown>> {
	if (!isForm(request)) return readJson(request, maxBytes);
	const bytes = await readBytes(request, maxBytes);
	return Object.fromEntries(new URLSearchParams(decode(bytes)));
}

export function isForm({ headers }: IncomingMessage): boolean {
	const type = headers["content-type"] ?? "";
	return type.startsWith("application/x-www-form-urlencoded");
}

/** @throws HttpError 413 over the limit */
export async function readBytes(
	request: IncomingMessage,
	maxBytes: number,
): Promise<Buffer> {
	const tooLarge = () =>
		new HttpError(413, `The body must be at most ${maxBytes} bytes`);
	const declared = Number(request.headers["content-length"] ?? 0);
	if (declared > maxBytes) throw tooLarge();
	return new Promise((resolve, reject) => {
		const chunks: Buffer[] = [];
		let length = 0;
		request.on("data", (chunk: Buffer) => {
			length += chunk.length;
			if (length > maxBytes) {
				request.removeAllListeners("data");
				reject(tooLarge());
			} else chunks.push(chunk);
		});
		request.on("end", () => resolve(Buffer.concat(chunks)));
		request.on("error", reject);
		request.on("aborted", () => reject(invalidBody()));
	});
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

function parseJson(bytes: Uint8Array): unknown {
	if (depthOf(bytes) > depthMax) throw invalidBody();
	const text = decode(bytes);
	try {
		return JSON.parse(text);
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

function invalidBody(cause?: unknown): HttpError {
	return new HttpError(400, "Invalid request body", { cause });
}

/** Measures the deepest nesting of brackets outside strings, before any parser recurses into them. */
function depthOf(bytes: Uint8Array): number {
	let depth = 0;
	let deepest = 0;
	let inString = false;
	for (let i = 0; i < bytes.length; i += 1) {
		const byte = bytes[i];
		if (inString) {
			if (byte === 0x5c) i += 1;
			else if (byte === 0x22) inString = false;
		} else if (byte === 0x22) inString = true;
		else if (byte === 0x5b || byte === 0x7b) {
			depth += 1;
			if (depth > deepest) deepest = depth;
		} else if (byte === 0x5d || byte === 0x7d) depth -= 1;
	}
	return deepest;
}

import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Response } from "express";
import { rowsMax } from "../../sync/queries/query.ts";

/**
 * Answers JSON that contains a list: a single page like any other answer, a longer list page by page.
 *
 * @param before the answer's text before the list's bracket; `after` is the text behind it
 */
export async function sendList(
	response: Response,
	pages: AsyncGenerator<unknown[]>,
	before = "",
	after = "",
): Promise<void> {
	const first = (await pages.next()).value ?? [];
	response.type("json");
	if (first.length < rowsMax) {
		response.send(`${before}${JSON.stringify(first)}${after}`);
		return;
	}
	async function* texts(): AsyncGenerator<string> {
		// Leaves out the closing bracket, since more pages follow.
		yield `${before}${JSON.stringify(first).slice(0, -1)}`;
		for await (const page of pages)
			if (page.length > 0) yield `,${JSON.stringify(page).slice(1, -1)}`;
		yield `]${after}`;
	}
	await sendPages(response, texts());
}

/** Streams an answer's pages until the reader hangs up. @throws what the first page throws, which still gets a status */
export async function sendPages(
	response: Response,
	pages: AsyncGenerator<string>,
): Promise<void> {
	const first = await pages.next();
	async function* all(): AsyncGenerator<string> {
		if (first.done) return;
		yield first.value;
		yield* pages;
	}
	try {
		await pipeline(Readable.from(all()), response);
	} catch (error) {
		// A reader that hung up is no fault.
		if ((error as NodeJS.ErrnoException).code !== "ERR_STREAM_PREMATURE_CLOSE")
			throw error;
	}
}

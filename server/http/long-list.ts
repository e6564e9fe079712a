import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Response } from "express";
import { rowsMax } from "../../sync/queries/query.ts";

/**
 * Answers JSON with a list in it: a short one as any other answer, a long one as its pages come.
 *
 * @param before the answer's text up to the list's bracket; `after` from behind it
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
		// Without its bracket: others follow.
		yield `${before}${JSON.stringify(first).slice(0, -1)}`;
		for await (const page of pages)
			if (page.length > 0) yield `,${JSON.stringify(page).slice(1, -1)}`;
		yield `]${after}`;
	}
	await sendPages(response, texts());
}

/** Sends an answer as its pages come, for as long as somebody reads it. */
export async function sendPages(
	response: Response,
	pages: AsyncGenerator<string>,
): Promise<void> {
	try {
		await pipeline(Readable.from(pages), response);
	} catch (error) {
		// A reader who hangs up needs no more of it.
		if ((error as NodeJS.ErrnoException).code !== "ERR_STREAM_PREMATURE_CLOSE")
			throw error;
	}
}

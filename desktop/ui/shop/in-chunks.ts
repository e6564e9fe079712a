/** The page reads its rows again after each change; several at a time make it read less often. */
const chunkSize = 25;

/**
 * Makes many changes, some at a time.
 *
 * @throws the first error, once the rest of its chunk has ended
 */
export async function inChunks<Item>(
	items: readonly Item[],
	work: (item: Item) => Promise<unknown>,
): Promise<void> {
	for (let start = 0; start < items.length; start += chunkSize) {
		const chunk = items.slice(start, start + chunkSize);
		const ended = await Promise.allSettled(chunk.map(work));
		const failed = ended.find(({ status }) => status === "rejected");
		if (failed) throw (failed as PromiseRejectedResult).reason;
	}
}

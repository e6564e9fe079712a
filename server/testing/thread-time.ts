/** Measures how long this thread works, which other threads and programs don't lengthen. @returns microseconds */
export async function threadTimeOf(work: () => unknown): Promise<number> {
	const before = process.threadCpuUsage();
	await work();
	const { user, system } = process.threadCpuUsage(before);
	return user + system;
}

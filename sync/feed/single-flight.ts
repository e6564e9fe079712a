/**
 * Runs an expensive read once for concurrent callers. A caller never gets the result of a run that started before its
 * call: callers during a run share the next one.
 */
export function openSingleFlight<T>(): (
	key: string,
	run: () => Promise<T>,
) => Promise<T> {
	const running = new Map<string, Promise<unknown>>();
	const waiting = new Map<string, Promise<T>>();

	function start(key: string, run: () => Promise<T>): Promise<T> {
		waiting.delete(key);
		const result = run();
		const ended: Promise<unknown> = result
			.then(ignore, ignore)
			.then(() => running.get(key) === ended && running.delete(key));
		running.set(key, ended);
		return result;
	}

	return (key, run) => {
		const before = running.get(key);
		if (!before) return start(key, run);
		const next = waiting.get(key) ?? before.then(() => start(key, run));
		waiting.set(key, next);
		return next;
	};
}

/** The callers of a run handle its failure; the next run does not depend on it. */
function ignore(): void {}

export type TaskQueue = (work: () => void | Promise<void>) => void;

/** Runs tasks one after another in the order of their arrival; starts at once, synchronously, if none is running. */
export function openTaskQueue(): TaskQueue {
	const waiting: Parameters<TaskQueue>[0][] = [];
	let isBusy = false;

	async function workOff(): Promise<void> {
		isBusy = true;
		for (let work = waiting.shift(); work; work = waiting.shift())
			try {
				await work();
			} catch (error) {
				reportError(error);
			}
		isBusy = false;
	}

	return (work) => {
		waiting.push(work);
		if (!isBusy) void workOff();
	};
}

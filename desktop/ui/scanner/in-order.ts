export type InOrder = (work: () => void | Promise<void>) => void;

/** Does one thing after another, in the order in which they come; at once where nothing is under way. */
export function openInOrder(): InOrder {
	const waiting: Parameters<InOrder>[0][] = [];
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

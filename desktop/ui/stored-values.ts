/** Small values by key: in the browser's storage, or in memory if the browser denies it. */
interface StoredValues {
	read(key: string): string | null;
	write(key: string, value: string): void;
	remove(key: string): void;
}

/** @param open called each time, since a browser that denies storage throws on access */
function valuesIn(open: () => globalThis.Storage): StoredValues {
	const memory = new Map<string, string>();
	let isDenied = false;

	function attempt<T>(kept: (storage: globalThis.Storage) => T): T | undefined {
		if (isDenied) return undefined;
		try {
			return kept(open());
		} catch (error) {
			isDenied = true;
			console.error("The browser can't save settings for this page", error);
			return undefined;
		}
	}

	return {
		read(key) {
			const kept = attempt((one) => one.getItem(key));
			return kept === undefined ? (memory.get(key) ?? null) : kept;
		},
		write(key, value) {
			memory.set(key, value);
			attempt((one) => one.setItem(key, value));
		},
		remove(key) {
			memory.delete(key);
			attempt((one) => one.removeItem(key));
		},
	};
}

/** Shared by all windows of this browser. */
export const localValues = valuesIn(() => localStorage);
/** Belongs to one window and survives its reloads. */
export const sessionValues = valuesIn(() => sessionStorage);
